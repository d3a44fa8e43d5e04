"""BurrTools' XMPuzzle: grids of voxels, problems, stored assemblies."""
