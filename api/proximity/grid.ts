import type { Place } from '#shared/place.ts';

/** Metres in a degree of latitude, on the sphere that distances are measured on. */
export const METRES_PER_DEGREE = (6_378_100 * Math.PI) / 180;
/** A cell is so high, and at least so wide. One ring around one's own cell covers this distance. */
export const CELL_METRES = 64;

const ROW_DEGREES = CELL_METRES / METRES_PER_DEGREE;
const ROWS = Math.ceil(180 / ROW_DEGREES);
const KEY_STRIDE = 2 ** 20;

/** What can lie in a grid: its position, and its place in the list of its cell. */
export interface Placed extends Place {
  cell: number;
  next: Placed | null;
  previous: Placed | null;
}

const rowOf = (latitude: number) => Math.min(ROWS - 1, Math.floor((latitude + 90) / ROW_DEGREES));

/** Cells in a row: fewer towards the poles, so that none is narrower than it is high. */
function columnsIn(row: number): number {
  const south = row * ROW_DEGREES - 90;
  const furthest = Math.min(90, Math.max(Math.abs(south), Math.abs(south + ROW_DEGREES)));
  return Math.max(1, Math.floor((360 * Math.cos((furthest * Math.PI) / 180)) / ROW_DEGREES));
}

const columnOf = (longitude: number, columns: number) =>
  Math.floor(((longitude + 180) / 360) * columns) % columns;

/** Live positions by where they are: hash cells, so that a million apart cost what a thousand do. */
export class Grid<T extends Placed> {
  readonly #cells = new Map<number, T>();

  add(item: T): void {
    const row = rowOf(item.latitude);
    const key = row * KEY_STRIDE + columnOf(item.longitude, columnsIn(row));
    const first = this.#cells.get(key) ?? null;
    item.cell = key;
    item.previous = null;
    item.next = first;
    if (first) first.previous = item;
    this.#cells.set(key, item);
  }

  remove(item: T): void {
    const next = item.next as T | null;
    if (item.previous) item.previous.next = next;
    else if (next) this.#cells.set(item.cell, next);
    else this.#cells.delete(item.cell);
    if (next) next.previous = item.previous;
    item.next = null;
    item.previous = null;
  }

  /** Moves an item, cheaply when it stays in its cell. */
  move(item: T, to: Place): void {
    const row = rowOf(to.latitude);
    const stays = item.cell === row * KEY_STRIDE + columnOf(to.longitude, columnsIn(row));
    if (!stays) this.remove(item);
    item.latitude = to.latitude;
    item.longitude = to.longitude;
    if (!stays) this.add(item);
  }

  /**
   * Visits what lies in the ring of cells at `ring` cells from a place (0: its own cell). All that
   * rings 0 to n left out is at least n × CELL_METRES away.
   */
  visitRing(around: Place, ring: number, visit: (item: T) => void): void {
    const centre = rowOf(around.latitude);
    const first = Math.max(0, centre - ring);
    const last = Math.min(ROWS - 1, centre + ring);
    for (let row = first; row <= last; row += 1) {
      const columns = columnsIn(row);
      const column = columnOf(around.longitude, columns);
      // A short row is visited once around at most: half of it to the west, half to the east.
      const west = Math.floor((columns - 1) / 2);
      const east = Math.floor(columns / 2);
      if (Math.abs(row - centre) === ring) {
        const until = Math.min(ring, east);
        for (let offset = -Math.min(ring, west); offset <= until; offset += 1)
          this.#visitCell(row, (column + offset + columns) % columns, visit);
      } else {
        if (ring <= west) this.#visitCell(row, (column - ring + columns) % columns, visit);
        if (ring <= east) this.#visitCell(row, (column + ring) % columns, visit);
      }
    }
  }

  #visitCell(row: number, column: number, visit: (item: T) => void): void {
    let item = this.#cells.get(row * KEY_STRIDE + column) ?? null;
    while (item) {
      const next = item.next as T | null;
      visit(item);
      item = next;
    }
  }
}
