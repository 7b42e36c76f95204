import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import type { Person } from './script.ts';

const LOOK_EVERY_MS = 25;

type DocumentRow = { _id: string; kind: string; owner_user_id: string; reader_user_ids: string[] };

export interface Written {
  /** Null for a message over HTTP. */
  device: number | null;
  text: string;
  /** Texts that an edit may have given it: one that failed is finished later, or not. */
  edits: string[];
  by: Person;
  to: Person;
  /** Whether a device or a response confirmed that the server has it. */
  isAcknowledged: boolean;
}

/** Records the events of a simulation that matter for the invariants. */
export class Records {
  readonly written: Written[] = [];
  /** The users that ever had access to a document. */
  readonly documents = new Map<string, { kind: string; people: Set<string> }>();
  /** When the server removed a document. */
  readonly removedAt = new Map<string, number>();
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Records who has access to which documents, because rows are deleted along with a thread. */
  async noteDocuments(users: string[]): Promise<void> {
    const rows = await this.#rows({
      $or: [{ owner_user_id: { $in: users } }, { reader_user_ids: { $in: users } }],
    });
    for (const { _id, kind, owner_user_id, reader_user_ids } of rows) {
      const people = this.documents.get(_id)?.people ?? new Set();
      for (const each of [owner_user_id, ...reader_user_ids]) people.add(each);
      this.documents.set(_id, { kind, people });
    }
  }

  /** Records when documents are removed, until `isOver`. */
  async watchRemovals(isOver: () => boolean): Promise<void> {
    const ids = [...this.documents.keys()];
    while (!isOver()) {
      const existing = new Set((await this.#rows({ _id: { $in: ids } })).map(({ _id }) => _id));
      for (const id of ids)
        if (!existing.has(id) && !this.removedAt.has(id)) this.removedAt.set(id, Date.now());
      await wait(LOOK_EVERY_MS);
    }
  }

  /** Returns the documents of the thread between two users. */
  segmentsOf(users: string[]): string[] {
    return [...this.documents]
      .filter(
        ([, { kind, people }]) => kind === 'segment' && users.every((user) => people.has(user)),
      )
      .map(([id]) => id);
  }

  #rows(filter: object): Promise<DocumentRow[]> {
    return this.#db
      .collection<DocumentRow>('documents')
      .find(filter, { projection: { kind: 1, owner_user_id: 1, reader_user_ids: 1 } })
      .toArray();
  }
}
