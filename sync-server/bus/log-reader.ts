import { ObjectId } from 'mongodb';
import { MINUTE_MS } from '#shared/time.ts';
import type { Database, LogRow } from '../core/database.ts';

/** A node that ended writes nothing any more when the network has given up sending what it had sent. */
const LATE_MS = 15 * MINUTE_MS;

/** A record of the log without its changes. */
export interface ListedRecord extends Pick<LogRow, '_id' | 'writer'> {
  entries: { document: string }[];
}

/** How far the records of one writer were read. */
interface Progress {
  /** The last records of each reading, oldest first. Of those that are older than `remembers`, only the newest is here. */
  readings: { last: string; at: number }[];
  /** When the writer was registered last. */
  registeredAt: number;
}

/**
 * Reads what was added to the log. The records of a writer appear in the order of their ids (`ChangeLog`), so only those after the last
 * one are read, whatever the clocks of the writers say.
 */
export class LogReader {
  readonly #database: Pick<Database, 'log' | 'syncNodes'>;
  readonly #remembersMs: number;
  readonly #writers = new Map<string, Progress>();

  /** @param remembersMs the longest time that `hadReadBefore` may be asked for */
  constructor(database: Pick<Database, 'log' | 'syncNodes'>, remembersMs: number) {
    this.#database = database;
    this.#remembersMs = remembersMs;
  }

  /** Skips what is in the log. @throws when the database cannot be read */
  async skip(): Promise<void> {
    const last = await this.#database.log
      .aggregate<{ _id: string; last: ObjectId }>([
        { $sort: { writer: 1, _id: 1 } },
        { $group: { _id: '$writer', last: { $last: '$_id' } } },
      ])
      .toArray();
    this.advance(last.map(({ _id, last: id }) => ({ _id: id, writer: _id })));
  }

  /** Returns the records that were added since the last ones that `advance` was called with. @throws when the database cannot be read */
  async newRecords(): Promise<ListedRecord[]> {
    const { log, syncNodes } = this.#database;
    for (const { _id } of await syncNodes.find({}, { projection: { _id: 1 } }).toArray())
      this.#progressOf(_id).registeredAt = performance.now();
    const since = performance.now() - LATE_MS;
    const added = [...this.#writers].flatMap(([writer, { readings, registeredAt }]) => {
      if (registeredAt < since) return [];
      const last = readings.at(-1)?.last;
      return [{ writer, ...(last !== undefined && { _id: { $gt: new ObjectId(last) } }) }];
    });
    if (added.length === 0) return [];
    return log
      .find({ $or: added })
      .project<ListedRecord>({ writer: 1, 'entries.document': 1 })
      .toArray();
  }

  /** Notes that these records, and those before them, have been read. */
  advance(records: Pick<LogRow, '_id' | 'writer'>[]): void {
    const at = performance.now();
    for (const { _id, writer } of records) {
      const { readings } = this.#progressOf(writer);
      const id = _id.toHexString();
      const reading = readings.at(-1);
      if (reading && reading.last >= id) continue;
      if (reading?.at === at) reading.last = id;
      else readings.push({ last: id, at });
    }
    for (const { readings } of this.#writers.values())
      while ((readings[1]?.at ?? Infinity) < at - this.#remembersMs) readings.shift();
  }

  hasRead({ _id, writer }: Pick<LogRow, '_id' | 'writer'>): boolean {
    const last = this.#writers.get(writer)?.readings.at(-1)?.last;
    return last !== undefined && _id.toHexString() <= last;
  }

  /** Whether a record had been read this many milliseconds ago. */
  hadReadBefore({ _id, writer }: Pick<LogRow, '_id' | 'writer'>, ms: number): boolean {
    const until = performance.now() - ms;
    const id = _id.toHexString();
    const readings = this.#writers.get(writer)?.readings ?? [];
    return readings.some(({ last, at }) => at < until && id <= last);
  }

  #progressOf(writer: string): Progress {
    let progress = this.#writers.get(writer);
    if (!progress) {
      progress = { readings: [], registeredAt: performance.now() };
      this.#writers.set(writer, progress);
    }
    return progress;
  }
}
