import { openTo, threads } from './collections.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { ChangeInput, ChangeName } from '#shared/document-kinds.ts';
import { DocumentUnavailableError } from '../sync-server-client.ts';
import { HttpError } from '../http/http-error.ts';
import type { Services } from '../services.ts';

/** How long the replacement of a segment’s document may take. */
const PATIENCE_MS = 6_000;
const PAUSE_MS = 50;

/**
 * Applies a named change to a user’s own thread segment. A segment that is being rewritten without a message (see
 * remove-message.ts) may lose the change, so it is repeated in the replacement: the change must be idempotent.
 * @param segment.number of the segment in its thread, from 1
 * @returns the id of the changed document; null when the thread is not open
 * @throws HttpError 503 when that takes too long; the caller may retry
 */
export async function changeOwnSegment<N extends ChangeName<'segment'>>(
  { db, documents }: Services,
  { thread_id, number }: { thread_id: string; number: number },
  author: string,
  name: N,
  input: ChangeInput<'segment', N>,
): Promise<string | null> {
  for (const deadline = Date.now() + PATIENCE_MS; ;) {
    const thread = await threads(db).findOne({ _id: thread_id, ...openTo(author) });
    const document = thread?.segments[number - 1]?.documents[author];
    if (!document) return null;
    try {
      await documents.change('segment', document, name, input, author);
      return document;
    } catch (error) {
      if (!(error instanceof DocumentUnavailableError)) throw error;
      if (Date.now() > deadline)
        throw new HttpError(503, 'A message is being removed. Try again in a moment.', {
          headers: { 'retry-after': '2' },
          cause: error,
        });
    }
    await wait(PAUSE_MS);
  }
}
