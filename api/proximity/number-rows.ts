/**
 * Numbers of many people, a row of one array each. As fields of objects, each number that changes is an object of its own, which
 * outlives the garbage collector's youth and then costs it more than all that is done with it.
 */
export class NumberRows {
  readonly #width: number;
  #numbers: Float64Array;
  #rows = 1;
  readonly #spare: number[] = [];

  /** @param width numbers in a row */
  constructor(width: number) {
    this.#width = width;
    this.#numbers = new Float64Array(width * 64);
  }

  /** A row that nobody has; from 1 on, those that were given back first. */
  take(): number {
    const row = this.#spare.pop() ?? this.#rows++;
    if ((row + 1) * this.#width > this.#numbers.length) {
      const larger = new Float64Array(this.#numbers.length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    return row;
  }

  giveBack(row: number): void {
    this.#spare.push(row);
  }

  get(row: number, which: number): number {
    return this.#numbers[row * this.#width + which] ?? NaN;
  }

  set(row: number, which: number, value: number): void {
    this.#numbers[row * this.#width + which] = value;
  }
}
