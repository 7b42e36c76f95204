import type { Offset } from '../../api/proximity/engine/coarse-location.ts';

/** Coarse locations that are only snapped to the grid, so that a test can tell which distances to expect. */
export const NO_OFFSET: Offset = { east: 0, north: 0 };
