{
  description = "Dictation for the Linux desktop";

  # Swift 6.1 or later has to be in it.
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      forEachSystem = nixpkgs.lib.genAttrs [
        "x86_64-linux"
        "aarch64-linux"
      ];
    in
    {
      packages = forEachSystem (system: {
        default = nixpkgs.legacyPackages.${system}.callPackage ./packaging/nix/package.nix {
          revision = self.shortRev or "dirty";
        };
      });

      # `nix develop` has what `make build-without-dependencies` needs.
      devShells = forEachSystem (system: {
        default = nixpkgs.legacyPackages.${system}.mkShell {
          inputsFrom = [ self.packages.${system}.default ];
        };
      });
    };
}
