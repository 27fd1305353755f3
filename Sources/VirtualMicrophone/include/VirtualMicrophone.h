// An ALSA capture device without hardware: it "speaks" a recording in real time.
//
// ALSA loads the built library by the path that its configuration names:
//
//     </usr/share/alsa/alsa.conf>
//     pcm_type.virtualmic { lib "/absolute/path/libasound_module_pcm_virtualmic.so" }
//     pcm.!default { type virtualmic infile "/absolute/path/speech.wav" }
//
// Save that as a file, and start any program with ALSA_CONFIG_PATH=<the file>.
//
// Keys of the configuration:
//   infile     a WAV file (16-bit, mono), or raw little-endian 16-bit mono samples
//   rate       samples a second of a raw file (default 16000); a WAV file brings its own
//   loop       yes: begin again at the end; no (default): silence after the end
//   xrun_ms    report one overrun after this many milliseconds of sound
//   lock       a file that is locked while the device is open: a second client is told that it is busy
//   unplug_ms  vanish after this many milliseconds of sound, as a pulled USB microphone does
//   hang_ms    never return from a call any more after this many milliseconds of sound, as PulseAudio's library may when its
//              server dies
// Negative times (the default) mean never.
#ifndef VIRTUAL_MICROPHONE_H
#define VIRTUAL_MICROPHONE_H

/// The type's name in ALSA's configuration.
#define VIRTUAL_MICROPHONE_TYPE "virtualmic"

#endif
