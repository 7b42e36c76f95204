import type { Document, Filter } from 'mongodb';
import { documentKinds, type DocumentKind } from '#shared/document-kinds.ts';
import { isRestricted } from '#shared/collections.ts';
import type { Database, DocumentRow } from './database.ts';

/** What a user may do with a document that they may read. */
export interface Right {
  mayWrite: boolean;
  /** Of the document's snapshot, where it has one: without what is in the log. */
  mark: string | null;
}

/** What was looked up of a user. */
export interface Listed {
  rights: Map<string, Right>;
  /** Whether nobody's rights have changed since, nor are about to. */
  isCurrent(): boolean;
}

const ASKED_AT_ONCE = 1000;
const LIST_MAX = 20_000;

/** Documents with which a user may do the same. */
interface Group {
  _id: { kind: DocumentKind; is_own: boolean; is_frozen?: boolean };
  ids: string[];
  /** In the same order. */
  marks: (string | null)[];
}

interface Question {
  documentId: string;
  resolve(right: Right | null): void;
  reject(error: unknown): void;
}

/**
 * Answers who may read and write what, from the disk. Ids that are nobody's and somebody else's take the same way
 * to the same answer; however many are asked about, a user costs one query at a time.
 */
export class Rights {
  readonly #database: Pick<Database, 'documents' | 'users'>;
  readonly #questions = new Map<string, Question[]>();
  #changes = 0;

  constructor(database: Pick<Database, 'documents' | 'users'>) {
    this.#database = database;
  }

  /**
   * Null where the user may not read the document, or there is none. Whoever acts on the answer relies on the right from when they
   * ask (`reliesOnRightTo`): if it changes meanwhile, their socket is closed, and the answer comes to nobody.
   */
  of(userId: string, documentId: string): Promise<Right | null> {
    return new Promise((resolve, reject) => {
      const question = { documentId, resolve, reject };
      const asked = this.#questions.get(userId);
      if (asked) asked.push(question);
      else {
        this.#questions.set(userId, [question]);
        setImmediate(() => void this.#answer(userId));
      }
    });
  }

  /** All that a user may read, or much of it, in one query. */
  async listOf(userId: string): Promise<Listed> {
    const changes = this.#changes;
    return {
      rights: await this.#lookUp(userId, {}),
      isCurrent: () => changes === this.#changes,
    };
  }

  /** To be called before and after rights change: lists that were made before are not current any more. */
  changed(): void {
    this.#changes++;
  }

  async #answer(userId: string): Promise<void> {
    const asked = this.#questions.get(userId) ?? [];
    while (asked.length > 0) {
      const some = asked.splice(0, ASKED_AT_ONCE);
      try {
        const ids = new Set(some.map((question) => question.documentId));
        const rights = await this.#lookUp(userId, { _id: { $in: [...ids] } });
        for (const { documentId, resolve } of some) resolve(rights.get(documentId) ?? null);
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
    this.#questions.delete(userId);
  }

  async #lookUp(userId: string, which: Filter<DocumentRow>): Promise<Map<string, Right>> {
    const { documents } = this.#database;
    const own = grouped({ ...which, owner_user_id: userId }, true);
    const others = grouped({ ...which, reader_user_ids: userId }, false);
    const both = [...others, { $unionWith: { coll: documents.collectionName, pipeline: own } }];
    const groups = await documents.aggregate<Group>(both).toArray();
    const isBarred =
      groups.some(({ _id }) => _id.kind === 'part' && _id.is_own) && (await this.#isBarred(userId));
    const rights = new Map<string, Right>();
    for (const { _id, ids, marks } of groups) {
      const isLocked = _id.is_frozen || (_id.kind === 'part' && isBarred);
      const mayWrite = _id.is_own && documentKinds[_id.kind].ownerWrites && !isLocked;
      for (const [i, id] of ids.entries()) rights.set(id, { mayWrite, mark: marks[i] ?? null });
    }
    return rights;
  }

  /** Whoever is restricted writes to nobody. When that begins and ends, the api has their sockets start over. */
  async #isBarred(userId: string): Promise<boolean> {
    const user = await this.#database.users.findOne(
      { _id: userId },
      { projection: { restricted_until: 1 } },
    );
    return user !== null && isRestricted(user, new Date());
  }
}

/**
 * Documents by what may be done with them: few large answers, as a thousand small ones take the driver three times as long. All that it
 * looks at is in the index of the owner or of the readers, so that no document is read.
 */
function grouped(which: Filter<DocumentRow>, isOwn: boolean): Document[] {
  return [
    { $match: which },
    { $limit: LIST_MAX },
    {
      $group: {
        _id: { kind: '$kind', is_own: { $literal: isOwn }, is_frozen: '$is_frozen' },
        ids: { $push: '$_id' },
        marks: { $push: { $ifNull: ['$mark', null] } },
      },
    },
  ];
}
