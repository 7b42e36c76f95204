import { METERS_PER_DEGREE, type Place } from '#shared/place.ts';

/** The default height of a cell, in meters. One ring around a place's own cell covers this distance. */
export const CELL_METERS = 64;

/** A spatial index of mutable places: the cost of a query depends on what is near, not on the size of the grid. */
export class Grid<T extends Place> {
  readonly #rowDegrees: number;
  readonly #rowCount: number;
  /** Occupied cells by row, then column: nested maps with small integer keys are much faster than one with keys beyond 2³¹. */
  readonly #rows = new Map<number, Map<number, T[]>>();

  /** @param cellMeters the height of a cell, and its least width */
  constructor(cellMeters = CELL_METERS) {
    this.#rowDegrees = cellMeters / METERS_PER_DEGREE;
    this.#rowCount = Math.ceil(180 / this.#rowDegrees);
  }

  add(item: T): void {
    const row = this.#rowOf(item.latitude);
    this.#insert(item, row, this.#columnOf(item.longitude, row));
  }

  remove(item: T): void {
    const row = this.#rowOf(item.latitude);
    this.#take(item, row, this.#columnOf(item.longitude, row));
  }

  /** Moves an item, cheaply if it stays in its cell. */
  move(item: T, { latitude, longitude }: Place): void {
    const fromRow = this.#rowOf(item.latitude);
    const fromColumn = this.#columnOf(item.longitude, fromRow);
    const row = this.#rowOf(latitude);
    const column = this.#columnOf(longitude, row);
    item.latitude = latitude;
    item.longitude = longitude;
    if (row === fromRow && column === fromColumn) return;
    this.#take(item, fromRow, fromColumn);
    this.#insert(item, row, column);
  }

  /**
   * Visits the items in the ring of cells that is `ring` cells away from a place (0: its own cell). Everything outside
   * rings 0 to n is at least n cell heights away. The visitor must not change the grid.
   */
  visitRing(around: Place, ring: number, visit: (item: T) => void): void {
    const center = this.#rowOf(around.latitude);
    const last = Math.min(this.#rowCount - 1, center + ring);
    for (let row = Math.max(0, center - ring); row <= last; row += 1) {
      const cells = this.#rows.get(row);
      if (!cells) continue;
      const columns = this.#columnsIn(row);
      const column = this.#columnOf(around.longitude, row);
      // In a row of few columns, the ring's ends meet on the other side of the earth: each cell is visited once.
      const west = Math.floor((columns - 1) / 2);
      const east = Math.floor(columns / 2);
      if (Math.abs(row - center) === ring) {
        const end = Math.min(ring, east);
        for (let offset = -Math.min(ring, west); offset <= end; offset += 1)
          cells.get(wrapped(column + offset, columns))?.forEach(visit);
      } else {
        if (ring <= west) cells.get(wrapped(column - ring, columns))?.forEach(visit);
        if (ring <= east) cells.get(wrapped(column + ring, columns))?.forEach(visit);
      }
    }
  }

  #insert(item: T, row: number, column: number): void {
    let cells = this.#rows.get(row);
    if (!cells) this.#rows.set(row, (cells = new Map()));
    const items = cells.get(column);
    if (items) items.push(item);
    else cells.set(column, [item]);
  }

  #take(item: T, row: number, column: number): void {
    const cells = this.#rows.get(row);
    const items = cells?.get(column);
    const index = items?.indexOf(item) ?? -1;
    if (!cells || !items || index < 0) return;
    const last = items.pop();
    if (last && last !== item) items[index] = last;
    if (items.length === 0) cells.delete(column);
    if (cells.size === 0) this.#rows.delete(row);
  }

  #rowOf(latitude: number): number {
    return Math.min(this.#rowCount - 1, Math.floor((latitude + 90) / this.#rowDegrees));
  }

  /** Fewer toward the poles, so that no cell is narrower than it is high. */
  #columnsIn(row: number): number {
    const south = row * this.#rowDegrees - 90;
    const farthest = Math.min(90, Math.max(Math.abs(south), Math.abs(south + this.#rowDegrees)));
    const around = 360 * Math.cos((farthest * Math.PI) / 180);
    return Math.max(1, Math.floor(around / this.#rowDegrees));
  }

  #columnOf(longitude: number, row: number): number {
    const columns = this.#columnsIn(row);
    return Math.floor(((longitude + 180) / 360) * columns) % columns;
  }
}

const wrapped = (column: number, columns: number) =>
  column < 0 ? column + columns : column >= columns ? column - columns : column;
