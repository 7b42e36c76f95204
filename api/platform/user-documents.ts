import { retry } from '#shared/backoff.ts';
import {
  OWN_KINDS,
  type ChangeInput,
  type ChangeName,
  type OwnKind,
} from '#shared/document-kinds.ts';
import { notFound, unavailable } from '#shared/http/http-error.ts';
import type { UserRow } from '#shared/server/collections.ts';
import type { PersonalDataHandler } from './personal-data.ts';
import type { Services } from './services.ts';
import { NOT_DELETED, users } from './session/collections.ts';
import { DocumentUnavailableError } from './sync-server-client.ts';

/**
 * Creates a user’s own documents. Idempotent: their ids are assigned with the account, so a server that has cached the row
 * from before may call it again. Marks the given row as ready.
 * @throws HttpError 503 when the sync server is unavailable
 */
export async function ensureDocuments(
  services: Pick<Services, 'db' | 'documents'>,
  user: UserRow,
): Promise<void> {
  if (user.documents_ready) return;
  await Promise.all(
    OWN_KINDS.map((kind) =>
      services.documents.create(user.documents[kind], kind, user._id, user.created_at),
    ),
  );
  await users(services.db).updateOne({ _id: user._id }, { $set: { documents_ready: true } });
  user.documents_ready = true;
}

/** How long the replacement of a document may take. */
const WAIT_FOR_REPLACEMENT = {
  first: 50,
  longest: 200,
  forMs: 6_000,
  isTransient: (error: unknown) => error instanceof DocumentUnavailableError,
};

/**
 * Uses one of a user’s own documents. If another document replaces it meanwhile (decision 392), the same is done with that one: changes
 * must be idempotent.
 * @throws HttpError 503 when the replacement takes too long, 404 when the account was deleted meanwhile
 */
async function withOwn<T>(
  { db }: Pick<Services, 'db'>,
  user: UserRow,
  kind: OwnKind,
  work: (documentId: string) => Promise<T>,
): Promise<T> {
  let row: UserRow | null = user;
  const attempt = async () => {
    row ??= await users(db).findOne({ _id: user._id, ...NOT_DELETED });
    if (!row) throw notFound('Account');
    const { documents } = row;
    // Cached rows may be older.
    row = null;
    return work(documents[kind]);
  };
  return retry(attempt, WAIT_FOR_REPLACEMENT).catch((cause: unknown) => {
    if (!WAIT_FOR_REPLACEMENT.isTransient(cause)) throw cause;
    throw unavailable('sync-server', cause);
  });
}

/**
 * Returns the plain value of one of the caller’s own documents, for the reader of its kind.
 * @throws HttpError 503 when the sync server is unavailable, 429 for too many calls
 */
export async function readOwn(services: Services, user: UserRow, kind: OwnKind): Promise<unknown> {
  await ensureDocuments(services, user);
  return withOwn(services, user, kind, (id) => services.documents.read(id, user._id));
}

/**
 * Applies a named change to one of the caller’s own documents.
 * @returns the document’s plain value after it
 * @throws HttpError 503 when the sync server is unavailable, 429 for too many calls
 */
export async function changeOwn<K extends OwnKind, N extends ChangeName<K>>(
  services: Services,
  user: UserRow,
  { kind, name, input }: { kind: K; name: N; input: ChangeInput<K, N> },
): Promise<unknown> {
  await services.limitChanges(user._id);
  await ensureDocuments(services, user);
  return withOwn(services, user, kind, (id) =>
    services.documents.change(kind, id, name, input, user._id),
  );
}

/** As `changeOwn`, by somebody else, such as a moderator or a friend. The documents must exist. */
export async function changeDocumentOf<K extends OwnKind, N extends ChangeName<K>>(
  services: Pick<Services, 'db' | 'documents'>,
  user: UserRow,
  { kind, name, input }: { kind: K; name: N; input: ChangeInput<K, N> },
): Promise<void> {
  await withOwn(services, user, kind, (id) => services.documents.change(kind, id, name, input));
}

/** The documents; the sync server removes their projections with them. */
export const documentData = ({ documents }: Services): PersonalDataHandler => ({
  name: 'documents',
  async export(user) {
    if (!user.documents_ready) return {};
    const values = await Promise.all(
      OWN_KINDS.map(async (kind) => [kind, await documents.read(user.documents[kind], user._id)]),
    );
    return Object.fromEntries(values);
  },
  async remove(user) {
    const all = OWN_KINDS.flatMap((kind) => [
      user.documents[kind],
      ...(user.former_documents?.[kind] ?? []),
    ]);
    await Promise.all(
      all.map(async (id) => {
        // Another one may be about to replace it.
        for (let next: string | null = id; next !== null;) next = await documents.remove(next);
      }),
    );
  },
});
