// The public face of the plug-in is the symbol that ALSA looks up.
