import type { Document, Filter } from 'mongodb';
import { documentKinds, type DocumentKind } from '#shared/document-kinds.ts';
import { isRestricted, type UserRow } from '#shared/server/collections.ts';
import type { Database, DocumentRow } from '../database.ts';

/** A user's permission for a document that they may read. */
export interface Permission {
  mayWrite: boolean;
  /** Of the document's snapshot, if it has one: without changes in the log. */
  mark: string | null;
}

/** The permissions of a user when they were looked up. */
export interface PermissionSnapshot {
  permissions: Map<string, Permission>;
  /** Whether no permissions have changed since, or are being changed. */
  isCurrent(): boolean;
}

const BATCH_MAX = 1000;
/** Changes that are remembered while a device opens a document. */
const CHANGES_MAX = 10_000;
const SNAPSHOT_MAX = 20_000;

/** Documents for which a user has the same permission. */
interface Group {
  _id: { kind: DocumentKind; is_own: boolean; is_frozen?: boolean };
  ids: string[];
  /** In the same order. */
  marks: (string | null)[];
}

/** Whether a user may write messages. */
type Restriction = Pick<UserRow, 'restricted_until'>;

/** What `lookups` adds to a row. */
export interface ListedDocuments {
  own_documents: Group[];
  readable_documents: Group[];
}

interface Query {
  documentId: string;
  resolve(permission: Permission | null): void;
  reject(error: unknown): void;
}

/**
 * Looks up who may read and write which documents. Documents of other people and documents that do not exist take the same query
 * and give the same answer. Each user has at most one query at a time.
 */
export class DocumentPermissions {
  readonly #database: Pick<Database, 'documents' | 'users'>;
  readonly #isReadOnly: (userId: string) => boolean;
  readonly #queries = new Map<string, Query[]>();
  #version = 0;
  /** The versions at which permissions to documents changed last. */
  readonly #changes = new Map<string, number>();

  /** @param isReadOnly whether an account may only read for now */
  constructor(
    database: Pick<Database, 'documents' | 'users'>,
    isReadOnly: (userId: string) => boolean = () => false,
  ) {
    this.#database = database;
    this.#isReadOnly = isReadOnly;
  }

  /**
   * Returns null if the user may not read the document, or it does not exist. A connection relies on the permission from the
   * moment it asks (`reliesOnPermission`): if it changes before the answer, the connection is closed.
   */
  of(userId: string, documentId: string): Promise<Permission | null> {
    return new Promise((resolve, reject) => {
      const query = { documentId, resolve, reject };
      const waiting = this.#queries.get(userId);
      if (waiting) waiting.push(query);
      else {
        this.#queries.set(userId, [query]);
        setImmediate(() => void this.#answer(userId));
      }
    });
  }

  /** Returns the permissions for the documents of a user, at most 40,000, in one query. */
  async snapshotOf(userId: string): Promise<PermissionSnapshot> {
    const isCurrent = this.#watchAll();
    return { permissions: await this.#lookUp(userId, {}), isCurrent };
  }

  /** Stages of an aggregation that look up, for each row with a `user_id`, what `snapshotsFrom` makes a snapshot of. */
  get lookups(): Document[] {
    const from = this.#database.documents.collectionName;
    const ofUser = { from, localField: 'user_id' };
    return [
      {
        $lookup: {
          ...ofUser,
          foreignField: 'owner_user_id',
          pipeline: grouped(true),
          as: 'own_documents' satisfies keyof ListedDocuments,
        },
      },
      {
        $lookup: {
          ...ofUser,
          foreignField: 'reader_user_ids',
          pipeline: grouped(false),
          as: 'readable_documents' satisfies keyof ListedDocuments,
        },
      },
    ];
  }

  /** Call it before rows are read with `lookups`. @returns what `snapshotOf` would have returned then */
  snapshotsFrom(): (
    user: Pick<UserRow, '_id' | 'restricted_until'>,
    listed: ListedDocuments,
  ) => PermissionSnapshot {
    const isCurrent = this.#watchAll();
    return ({ _id, restricted_until }, { own_documents, readable_documents }) => {
      const groups = [...readable_documents, ...own_documents];
      const isUserRestricted = isRestricted({ restricted_until }, new Date());
      return { permissions: this.#permissionsOf(_id, groups, isUserRestricted), isCurrent };
    };
  }

  /** Invalidates snapshots. Call it before and after changing the permissions to a document, or when they changed elsewhere. */
  invalidate(documentId: string): void {
    this.#version++;
    this.#changes.delete(documentId);
    this.#changes.set(documentId, this.#version);
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > CHANGES_MAX) this.#changes.delete(oldest!);
  }

  /** Returns a function that tells whether the permissions to a document have changed since. */
  watch(documentId: string): () => boolean {
    const version = this.#version;
    return () => (this.#changes.get(documentId) ?? 0) > version;
  }

  #watchAll(): () => boolean {
    const version = this.#version;
    return () => version === this.#version;
  }

  async #answer(userId: string): Promise<void> {
    const waiting = this.#queries.get(userId) ?? [];
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX);
      try {
        const ids = new Set(batch.map(({ documentId }) => documentId));
        const permissions = await this.#lookUp(userId, { _id: { $in: [...ids] } });
        for (const { documentId, resolve } of batch) resolve(permissions.get(documentId) ?? null);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#queries.delete(userId);
  }

  async #lookUp(userId: string, filter: Filter<DocumentRow>): Promise<Map<string, Permission>> {
    const { documents, users } = this.#database;
    const own = [{ $match: { ...filter, owner_user_id: userId } }, ...grouped(true)];
    const others = [{ $match: { ...filter, reader_user_ids: userId } }, ...grouped(false)];
    // Restricted users may not write messages. When a restriction begins or ends, the API has their connections closed.
    const user = [
      { $match: { _id: userId } },
      // MongoDB would otherwise join both conditions, which takes longer than a lookup by id.
      { $limit: 1 },
      { $match: { restricted_until: { $ne: null } } },
      { $project: { _id: 0, restricted_until: 1 } },
    ];
    const found = await documents
      .aggregate<Group | Restriction>([
        ...others,
        { $unionWith: { coll: documents.collectionName, pipeline: own } },
        { $unionWith: { coll: users.collectionName, pipeline: user } },
      ])
      .toArray();
    const now = new Date();
    const isUserRestricted = found.some((row) => !('ids' in row) && isRestricted(row, now));
    const groups = found.filter((row): row is Group => 'ids' in row);
    return this.#permissionsOf(userId, groups, isUserRestricted);
  }

  #permissionsOf(
    userId: string,
    groups: readonly Group[],
    isUserRestricted: boolean,
  ): Map<string, Permission> {
    const isReadOnly = this.#isReadOnly(userId);
    const permissions = new Map<string, Permission>();
    for (const { _id, ids, marks } of groups) {
      const isLocked = isReadOnly || _id.is_frozen || (_id.kind === 'segment' && isUserRestricted);
      const mayWrite = _id.is_own && documentKinds[_id.kind].ownerWrites && !isLocked;
      for (const [i, id] of ids.entries())
        permissions.set(id, { mayWrite, mark: marks[i] ?? null });
    }
    return permissions;
  }
}

/**
 * Groups documents by permission: the driver parses a few large results in a third of the time of thousands of small ones. All
 * fields are in the index of the owner or of the readers, so no document is read.
 */
function grouped(isOwn: boolean): Document[] {
  return [
    { $limit: SNAPSHOT_MAX },
    {
      $group: {
        _id: { kind: '$kind', is_own: { $literal: isOwn }, is_frozen: '$is_frozen' },
        ids: { $push: '$_id' },
        marks: { $push: { $ifNull: ['$mark', null] } },
      },
    },
  ];
}
