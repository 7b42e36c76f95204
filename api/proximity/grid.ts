import { METRES_PER_DEGREE, type Place } from '#shared/place.ts';
import { CellTable, ROWS_IN_BAND } from './cell-table.ts';

/** A cell is so high, and at least so wide, unless another size is asked for. One ring around one's own cell covers this distance. */
export const CELL_METRES = 64;

/** What can lie in a grid. */
export interface Placed extends Place {
  /** Its number, from 1 on, which nothing else in the grid has; better low ones. */
  readonly handle: number;
}

const columnOf = (longitude: number, columns: number) =>
  Math.floor(((longitude + 180) / 360) * columns) % columns;

/** Live positions by where they are: hash cells, so that a million apart cost what a thousand do. */
export class Grid<T extends Placed> {
  readonly #rowDegrees: number;
  readonly #rows: number;
  /** Cells in a row, by band: fewer towards the poles, so that none is narrower than it is high. */
  readonly #columns: Int32Array;
  /** The first of each cell; the others follow by `#next`. All by their handles, 0 being nobody. */
  readonly #first = new CellTable();
  #next = new Int32Array(1024);
  #previous = new Int32Array(1024);
  readonly #items: (T | null)[] = [null];

  /** @param cellMeters how high a cell is, and at least how wide */
  constructor(cellMeters = CELL_METRES) {
    this.#rowDegrees = cellMeters / METRES_PER_DEGREE;
    this.#rows = Math.ceil(180 / this.#rowDegrees);
    const bandDegrees = ROWS_IN_BAND * this.#rowDegrees;
    this.#columns = Int32Array.from({ length: Math.ceil(this.#rows / ROWS_IN_BAND) }, (_, band) => {
      const south = band * bandDegrees - 90;
      const furthest = Math.min(90, Math.max(Math.abs(south), Math.abs(south + bandDegrees)));
      const around = 360 * Math.cos((furthest * Math.PI) / 180);
      return Math.max(1, Math.floor(around / this.#rowDegrees));
    });
  }

  add(item: T): void {
    const { handle } = item;
    // Without holes, which would make the array a slow one.
    while (this.#items.length <= handle) this.#items.push(null);
    this.#items[handle] = item;
    while (handle >= this.#next.length) this.#grow();
    const row = this.#rowOf(item.latitude);
    this.#link(handle, row, columnOf(item.longitude, this.#columnsIn(row)));
  }

  remove(item: T): void {
    const row = this.#rowOf(item.latitude);
    this.#unlink(item.handle, row, columnOf(item.longitude, this.#columnsIn(row)));
    this.#items[item.handle] = null;
  }

  /** Moves an item, cheaply when it stays in its cell. */
  move(item: T, to: Place): void {
    const fromRow = this.#rowOf(item.latitude);
    const fromColumn = columnOf(item.longitude, this.#columnsIn(fromRow));
    const row = this.#rowOf(to.latitude);
    const column = columnOf(to.longitude, this.#columnsIn(row));
    item.latitude = to.latitude;
    item.longitude = to.longitude;
    if (row === fromRow && column === fromColumn) return;
    this.#unlink(item.handle, fromRow, fromColumn);
    this.#link(item.handle, row, column);
  }

  /**
   * Visits what lies in the ring of cells at `ring` cells from a place (0: its own cell). All that
   * rings 0 to n left out is at least n cells' height away.
   */
  visitRing(around: Place, ring: number, visit: (item: T) => void): void {
    const centre = this.#rowOf(around.latitude);
    const first = Math.max(0, centre - ring);
    const last = Math.min(this.#rows - 1, centre + ring);
    for (let row = first; row <= last; row += 1) {
      const columns = this.#columnsIn(row);
      const column = columnOf(around.longitude, columns);
      // A short row is visited once around at most: half of it to the west, half to the east.
      const west = Math.floor((columns - 1) / 2);
      const east = Math.floor(columns / 2);
      if (Math.abs(row - centre) === ring) {
        const until = Math.min(ring, east);
        for (let offset = -Math.min(ring, west); offset <= until; offset += 1)
          this.#visitCell(row, wrapped(column + offset, columns), visit);
      } else {
        if (ring <= west) this.#visitCell(row, wrapped(column - ring, columns), visit);
        if (ring <= east) this.#visitCell(row, wrapped(column + ring, columns), visit);
      }
    }
  }

  #rowOf(latitude: number): number {
    return Math.min(this.#rows - 1, Math.floor((latitude + 90) / this.#rowDegrees));
  }

  #columnsIn(row: number): number {
    return this.#columns[Math.floor(row / ROWS_IN_BAND)] ?? 1;
  }

  #visitCell(row: number, column: number, visit: (item: T) => void): void {
    let handle = this.#first.get(row, column);
    while (handle !== 0) {
      const next = this.#next[handle] ?? 0;
      const item = this.#items[handle];
      if (item) visit(item);
      handle = next;
    }
  }

  #link(handle: number, row: number, column: number): void {
    const first = this.#first.get(row, column);
    this.#previous[handle] = 0;
    this.#next[handle] = first;
    if (first !== 0) this.#previous[first] = handle;
    this.#first.set(row, column, handle);
  }

  #unlink(handle: number, row: number, column: number): void {
    const next = this.#next[handle] ?? 0;
    const previous = this.#previous[handle] ?? 0;
    if (previous !== 0) this.#next[previous] = next;
    else this.#first.set(row, column, next);
    if (next !== 0) this.#previous[next] = previous;
  }

  #grow(): void {
    const next = new Int32Array(this.#next.length * 2);
    next.set(this.#next);
    this.#next = next;
    const previous = new Int32Array(next.length);
    previous.set(this.#previous);
    this.#previous = previous;
  }
}

const wrapped = (column: number, columns: number) =>
  column < 0 ? column + columns : column >= columns ? column - columns : column;
