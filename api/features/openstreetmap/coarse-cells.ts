import type { Place } from '#shared/place.ts';
import type { Bounds } from './outline.ts';

/** In degrees: about 55 m from south to north. */
const CELL = 0.0005;
/** Of a place that is looked at: about 4 km. A larger one has its own tags, or none. */
const CELLS_EACH_WAY = 80;

const row = (latitude: number): number => Math.floor((latitude + 90) / CELL);
const column = (longitude: number): number => Math.floor((longitude + 180) / CELL);
const COLUMNS = Math.ceil(360 / CELL);

/** Where something is, to about 55 m, in 40 bytes per cell. */
export class CoarseCells {
  readonly #cells = new Set<number>();

  add({ latitude, longitude }: Place): void {
    this.#cells.add(row(latitude) * COLUMNS + column(longitude));
  }

  /** Whether something is within some bounds, or in a cell beside them. */
  hasWithin({ south, north, west, east }: Bounds): boolean {
    const [first, last] = [row(south) - 1, row(north) + 1];
    const [left, right] = [column(west) - 1, column(east) + 1];
    if (last - first > CELLS_EACH_WAY || right - left > 2 * CELLS_EACH_WAY) return false;
    for (let y = first; y <= last; y += 1)
      for (let x = left; x <= right; x += 1) if (this.#cells.has(y * COLUMNS + x)) return true;
    return false;
  }
}
