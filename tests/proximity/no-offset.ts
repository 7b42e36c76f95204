import type { Offset } from '../../api/features/proximity/engine/coarse-location.ts';

/** Coarse locations that are only snapped to the grid, so that tests know their distances. */
export const NO_OFFSET: Offset = { east: 0, north: 0 };
