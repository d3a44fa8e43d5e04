"""XMPuzzle, the format of BurrTools: grids of voxels, problems and stored assemblies."""
