import { METERS_PER_DEGREE, type Place, radians } from '#shared/place.ts';
import { MINUTE_MS } from '#shared/time.ts';

/** Cells are this high and wide, in degrees: about 1.1 km at the equator, narrower toward the poles. Decision 276. */
const CELL_DEGREES = 0.01;
const ROWS = 180 / CELL_DEGREES;
const COLUMNS = 360 / CELL_DEGREES;
/** Enough for the widest alert radius, and for users who come near before the next report. */
const REACH_METERS = 750;

/** Returns the name of the cell of a place. It is used in subjects of the bus and in the database. */
export const cellOf = ({ latitude, longitude }: Place): string =>
  cellName(
    Math.min(ROWS - 1, Math.floor((latitude + 90) / CELL_DEGREES)),
    Math.floor((longitude + 180) / CELL_DEGREES),
  );

const cellName = (row: number, column: number): string => `${row}-${(column + COLUMNS) % COLUMNS}`;

/** Returns the names of the cells that contain every place within a distance of a place. @param meters at most some kilometers */
export const cellsWithin = (place: Place, meters: number): string[] =>
  cellsAround(cellOf(place), meters);

/** Returns the names of a cell and of all others within reach of a place in it. */
function cellsAround(cell: string, reach = REACH_METERS): string[] {
  const [row = 0, column = 0] = cell.split('-').map(Number);
  const cellMeters = CELL_DEGREES * METERS_PER_DEGREE;
  const cells: string[] = [];
  const rows = Math.ceil(reach / cellMeters);
  for (let each = Math.max(0, row - rows); each <= Math.min(ROWS - 1, row + rows); each += 1) {
    const farthest = Math.max(
      Math.abs(each * CELL_DEGREES - 90),
      Math.abs((each + 1) * CELL_DEGREES - 90),
    );
    const width = cellMeters * Math.max(0.01, Math.cos(radians(Math.min(90, farthest))));
    const columns = Math.ceil(reach / width);
    for (let offset = -columns; offset <= columns; offset += 1)
      cells.push(cellName(each, column + offset));
  }
  return cells;
}

/** Cells around which no one reports any more are followed for this long, in milliseconds. */
const UNFOLLOW_MS = MINUTE_MS;

interface FollowedCell {
  /** The number of users of this node around whom the cell is. */
  users: number;
  /** Since when there are none, in milliseconds; Infinity if there are. */
  unusedSince: number;
  unsubscribe(): void;
}

export interface FollowedCellsDependencies {
  /** Returns milliseconds of a monotonic clock. */
  now(): number;
  /** Begins to receive the messages of a cell. @returns a function that ends it */
  subscribe(cell: string): () => void;
  /** Loads the positions in cells that are followed from now on; their messages arrive already. */
  load(cells: string[]): Promise<void>;
}

/** The cells whose positions a node knows: those around the users who report to it. */
export class FollowedCells {
  readonly #dependencies: FollowedCellsDependencies;
  readonly #cells = new Map<string, FollowedCell>();
  /** The users who report to this node, each with the cell of their last report. */
  readonly #users = new Map<string, string>();
  /** The cells that are being loaded. */
  readonly #loading = new Map<string, Promise<void>>();

  constructor(dependencies: FollowedCellsDependencies) {
    this.#dependencies = dependencies;
  }

  has(cell: string): boolean {
    return this.#cells.has(cell);
  }

  cells(): string[] {
    return [...this.#cells.keys()];
  }

  /** Returns the users who report to this node. */
  users(): Iterable<string> {
    return this.#users.keys();
  }

  /**
   * Follows the cells around a user who reports to this node.
   * @returns null if they are loaded; otherwise a promise that resolves when they are, and rejects if the database fails
   */
  follow(userId: string, cell: string): Promise<unknown> | null {
    const before = this.#users.get(userId);
    if (before === cell && this.#loading.size === 0) return null;
    const around = cellsAround(cell);
    const added = around.filter((each) => !this.#cells.has(each));
    for (const each of added)
      this.#cells.set(each, {
        users: 0,
        unusedSince: this.#dependencies.now(),
        unsubscribe: this.#dependencies.subscribe(each),
      });
    if (before !== cell) {
      for (const each of around) this.#use(each, 1);
      if (before !== undefined) for (const each of cellsAround(before)) this.#use(each, -1);
      this.#users.set(userId, cell);
    }
    if (added.length > 0) this.#load(added);
    const pending = new Set(around.flatMap((each) => this.#loading.get(each) ?? []));
    return pending.size === 0 ? null : Promise.all(pending);
  }

  /** Forgets a user who no longer reports to this node. */
  release(userId: string): void {
    const cell = this.#users.get(userId);
    if (cell === undefined) return;
    this.#users.delete(userId);
    for (const each of cellsAround(cell)) this.#use(each, -1);
  }

  /** Unfollows cells around which no one has reported for a while. @returns them */
  removeUnused(): string[] {
    const since = this.#dependencies.now() - UNFOLLOW_MS;
    const removed: string[] = [];
    for (const [cell, { unusedSince, unsubscribe }] of this.#cells)
      if (unusedSince < since && !this.#loading.has(cell)) {
        unsubscribe();
        this.#cells.delete(cell);
        removed.push(cell);
      }
    return removed;
  }

  close(): void {
    for (const { unsubscribe } of this.#cells.values()) unsubscribe();
    this.#cells.clear();
    this.#users.clear();
  }

  #use(cell: string, change: 1 | -1): void {
    const followed = this.#cells.get(cell);
    if (!followed) return;
    followed.users += change;
    followed.unusedSince = followed.users > 0 ? Infinity : this.#dependencies.now();
  }

  #load(cells: string[]): void {
    const loading = this.#dependencies.load(cells).finally(() => {
      for (const cell of cells) this.#loading.delete(cell);
    });
    for (const cell of cells) this.#loading.set(cell, loading);
    loading.catch(() => {
      // The next report follows them again.
      for (const cell of cells) {
        this.#cells.get(cell)?.unsubscribe();
        this.#cells.delete(cell);
      }
      for (const [userId, cell] of this.#users)
        if (cellsAround(cell).some((each) => cells.includes(each))) this.release(userId);
    });
  }
}
