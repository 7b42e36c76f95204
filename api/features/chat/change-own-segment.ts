import { retry } from '#shared/backoff.ts';
import type { ChangeInput, ChangeName } from '#shared/document-kinds.ts';
import type { Services } from '../../platform/services.ts';
import { DocumentUnavailableError } from '../../platform/sync-server-client.ts';
import { openTo, threads } from './collections.ts';
import { tryAgain } from './own-message.ts';
import { documentOf } from './segment-documents.ts';

/** How long the replacement of a segment’s document may take. */
const WAIT_FOR_REPLACEMENT = {
  first: 50,
  longest: 200,
  forMs: 6_000,
  isTransient: (error: unknown) => error instanceof DocumentUnavailableError,
};

/**
 * Applies a named change to a user’s own thread segment. A segment that is being rewritten without a message (see
 * remove-message.ts) may lose the change, so it is repeated in the replacement: the change must be idempotent.
 * @param segment.number of the segment in its thread, from 1
 * @param change.isOurs whether the server makes it at somebody else's action: it is neither charged to the author nor refused for them
 * @returns the id of the changed document and its content; null when the thread is not open
 * @throws HttpError 503 when that takes too long; the caller may retry
 */
export async function changeOwnSegment<N extends ChangeName<'segment'>>(
  { db, documents }: Services,
  { thread_id, number }: { thread_id: string; number: number },
  author: string,
  { name, input, isOurs }: { name: N; input: ChangeInput<'segment', N>; isOurs?: boolean },
): Promise<{ document: string; value: unknown } | null> {
  const by = isOurs ? undefined : author;
  const attempt = async () => {
    const thread = await threads(db).findOne({ _id: thread_id, ...openTo(author) });
    const document = documentOf(thread, number, author);
    if (document === undefined) return null;
    return { document, value: await documents.change('segment', document, name, input, by) };
  };
  return retry(attempt, WAIT_FOR_REPLACEMENT).catch((cause: unknown) => {
    if (!WAIT_FOR_REPLACEMENT.isTransient(cause)) throw cause;
    throw tryAgain('A message is being removed. Try again in a moment.', cause);
  });
}
