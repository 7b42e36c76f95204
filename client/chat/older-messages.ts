import * as A from '@automerge/automerge/slim';
import { parseAutomergeUrl, type AutomergeUrl, type Repo } from '@automerge/automerge-repo/slim';
import { messageId, readPart, type PartDocument } from '#shared/chat/document.ts';
import type { PartPair } from '#shared/chat/threads.ts';
import { nextTask } from '../sync/next-task.ts';
import type { MessageText } from './shown.ts';

/** Both's parts of one number of a thread with somebody. */
export interface OlderPart {
  friend_user_id: string;
  pair: PartPair;
}

/** So many characters of what was read are kept for the next word that is looked for: 10 to 20 MB, some 150,000 messages. */
const KEPT_CHARACTERS = 10_000_000;

/**
 * What this device keeps of older parts of threads, read one at a time for whoever looks for something. Beside the Repo: what it has
 * opened once it holds, and what it is made to drop while the server may still speak of it, it overwrites with nothing.
 */
export class OlderMessages {
  private readonly repo: Repo;
  private kept = new Map<string, MessageText[]>();
  private characters = 0;

  constructor(repo: Repo) {
    this.repo = repo;
  }

  /** All messages of a pair, in no order; null where it is not on this device. */
  async read({ pair: { mine, theirs } }: OlderPart): Promise<MessageText[] | null> {
    const own = await this.textsOf(mine, true);
    await nextTask();
    const others = own && (await this.textsOf(theirs, false));
    return others && [...own, ...others];
  }

  /** Forgets what was read, when nobody looks for anything any more. */
  forget(): void {
    this.kept = new Map();
    this.characters = 0;
  }

  private async textsOf(url: string, isOwn: boolean): Promise<MessageText[] | null> {
    const known = this.kept.get(url);
    if (known) return known;
    const { documentId } = parseAutomergeUrl(url as AutomergeUrl);
    const data = await this.repo.storageSubsystem?.loadDocData(documentId);
    if (!data) return null;
    // As the Repo loads it, it would take three times as long: that makes a list of all that is new in it first.
    const doc = A.load<PartDocument>(data, { allowMissingChanges: true });
    await nextTask();
    // Before anything of it has come, a document is empty.
    const part = 'kind' in doc ? readPart(doc) : null;
    A.free(doc);
    if (!part) return null;
    const texts = part.messages.map(({ key, text, at }) => ({
      id: messageId(url, key),
      text,
      at,
      isOwn,
    }));
    const length = texts.reduce((sum, { text }) => sum + text.length, 0);
    if (this.characters + length <= KEPT_CHARACTERS) {
      this.characters += length;
      this.kept.set(url, texts);
    }
    return texts;
  }
}
