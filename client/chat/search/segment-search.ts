import * as A from '@automerge/automerge/slim';
import { messageId, readPart, type PartDocument } from '#shared/chat/document.ts';
import { containsQuery } from './text-match.ts';
import type { MessageText } from '../types.ts';

/** One author's part as this device keeps it. */
export interface SavedPart {
  url: string;
  isOwn: boolean;
  data: Uint8Array;
}

/** What is looked for in parts that are searched together. */
export interface PartsQuery {
  /** What these parts are called in further searches. */
  name: string;
  /** Null where they were handed over before, and are known still. */
  saved: readonly SavedPart[] | null;
  /** `looked`, not empty. */
  words: string;
}

export interface PartsAnswer {
  /** In no order; null where a part cannot be read. */
  found: MessageText[] | null;
  /** Whether another search of them needs no data. */
  isKept: boolean;
}

/** So many characters of what was read are kept for the next word that is looked for: 10 to 20 MB, some 150,000 messages. */
const KEPT_CHARACTERS = 10_000_000;

/** Looks through parts as they are saved; long ones take a phone's processor a tenth of a second each. */
export class PartSearch {
  private readonly kept = new Map<string, MessageText[]>();
  private characters = 0;

  find({ name, saved, words }: PartsQuery): PartsAnswer {
    const texts = this.kept.get(name) ?? (saved && textsOf(saved));
    if (!texts) return { found: null, isKept: false };
    this.keep(name, texts);
    return { found: texts.filter(containsQuery(words)), isKept: this.kept.has(name) };
  }

  private keep(name: string, texts: MessageText[]): void {
    if (this.kept.has(name)) return;
    const length = texts.reduce((sum, { text }) => sum + text.length, 0);
    if (this.characters + length > KEPT_CHARACTERS) return;
    this.characters += length;
    this.kept.set(name, texts);
  }
}

function textsOf(saved: readonly SavedPart[]): MessageText[] | null {
  const parts = saved.map(readSaved);
  return parts.every((texts) => texts !== null) ? parts.flat() : null;
}

function readSaved({ url, isOwn, data }: SavedPart): MessageText[] | null {
  // As the Repo loads it, it would take three times as long: that makes a list of all that is new in it first.
  const doc = A.load<PartDocument>(data, { allowMissingChanges: true });
  // Before anything of it has come, a document is empty.
  const part = 'kind' in doc ? readPart(doc) : null;
  A.free(doc);
  return (
    part && part.messages.map(({ key, text, at }) => ({ id: messageId(url, key), text, at, isOwn }))
  );
}
