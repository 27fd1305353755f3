# The package of Nix: `nix build` in the root of the repository. Without a network, as Nix builds: the Swift packages
# of Package.resolved are sources of their own, whose revisions and hashes change with that file.
{
  lib,
  swiftPackages,
  fetchgit,
  fetchurl,
  bison,
  pkg-config,
  python3,
  binutils,
  alsa-lib,
  cairo,
  curl,
  libarchive,
  libpulseaudio,
  libsamplerate,
  libsndfile,
  libxkbcommon,
  openssl,
  pango,
  sqlite,
  systemdLibs,
  tomlplusplus,
  wayland,
  xorg,
  revision ? "dirty",
}:

let
  inherit (swiftPackages)
    stdenv
    swift
    swiftpm
    Foundation
    Dispatch
    ;

  pins = (lib.importJSON ../../Package.resolved).pins;

  # packaging/nix/make-hashes writes them.
  hashes = lib.importJSON ./hashes.json;

  source =
    pin:
    fetchgit {
      url = pin.location;
      rev = pin.state.revision;
      hash = hashes.${pin.identity};
    };

  # As packaging/use-packages wants them.
  packages = lib.concatMapStringsSep "\n" (
    pin: "ln -s ${source pin} packages/${pin.identity}"
  ) pins;

  # `Version.swift` has the only place for it.
  version = builtins.head (
    builtins.match ".*\"([0-9.]+)\".*" (
      builtins.readFile ../../Sources/DictationProgram/Version.swift
    )
  );
  # The version that Debian has: later ones have another interface.
  sphinxSource =
    name: hash:
    fetchurl {
      url = "mirror://debian/pool/main/${builtins.substring 0 1 name}/${name}/${name}_0.8+5prealpha+1.orig.tar.gz";
      inherit hash;
    };

  sphinxbase = stdenv.mkDerivation {
    pname = "sphinxbase";
    version = "5prealpha";
    src = sphinxSource "sphinxbase" "sha256-9yvbWeULVYvtR8whBXdyANKyRqDzKOkT3hapsi+aJG8=";
    nativeBuildInputs = [ bison ];
    configureFlags = [ "--without-python" ];
  };

  pocketsphinx = stdenv.mkDerivation {
    pname = "pocketsphinx";
    version = "5prealpha";
    src = sphinxSource "pocketsphinx" "sha256-71u1VH4nEr31cfJWSQ70KkeWIDOJLv2dffju1/5XPtk=";
    nativeBuildInputs = [ pkg-config ];
    propagatedBuildInputs = [ sphinxbase ];
    configureFlags = [ "--without-python" ];
  };
in

assert lib.assertMsg (lib.versionAtLeast swift.version "6.1")
  "VoiceDictation needs Swift 6.1 or later; this nixpkgs has ${swift.version}";

stdenv.mkDerivation {
  pname = "voicedictation";
  version = "${version}-${revision}";

  src = lib.cleanSource ../..;

  nativeBuildInputs = [
    swift
    swiftpm
    pkg-config
    python3
    binutils
  ];

  buildInputs = [
    Foundation
    Dispatch
    alsa-lib
    cairo
    curl
    libarchive
    libpulseaudio
    libsamplerate
    libsndfile
    libxkbcommon
    openssl
    pango
    pocketsphinx
    sqlite
    systemdLibs
    tomlplusplus
    wayland
    xorg.libX11
    xorg.libXi
    xorg.libXtst
    xorg.libxcb
  ];

  configurePhase = ''
    runHook preConfigure
    patchShebangs packaging
    substituteInPlace Sources/DictationSpeech/PocketSphinx/PocketSphinxDecoder.swift \
      --replace-fail /usr/share/pocketsphinx ${pocketsphinx}/share/pocketsphinx
    mkdir packages
    ${packages}
    packaging/use-packages packages
    runHook postConfigure
  '';

  buildPhase = ''
    runHook preBuild
    # SwiftPM wants a home, and its sandbox does not work within that of Nix.
    export HOME=$TMPDIR
    make build-without-dependencies SWIFTFLAGS=--disable-sandbox
    runHook postBuild
  '';

  installPhase = ''
    runHook preInstall
    packaging/install --prefix "$out" --sysconfdir "$out/etc"
    runHook postInstall
  '';

  meta = {
    description = "Dictation for the Linux desktop: hold a key, speak, and the text is typed";
    license = lib.licenses.mit;
    mainProgram = "dictstate";
    platforms = [
      "x86_64-linux"
      "aarch64-linux"
    ];
  };
}
