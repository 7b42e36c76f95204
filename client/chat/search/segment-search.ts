import * as A from '@automerge/automerge/slim';
import { messageId, readSegment, type SegmentDocument } from '#shared/chat/document.ts';
import { containsQuery } from './text-match.ts';
import type { MessageText } from '../types.ts';

/** One author's segment as this device keeps it. */
export interface SavedSegment {
  url: string;
  isOwn: boolean;
  data: Uint8Array;
}

/** What is looked for in segments that are searched together. */
export interface SegmentsQuery {
  /** What these segments are called in further searches. */
  name: string;
  /** Null where they were handed over before, and are known still. */
  saved: readonly SavedSegment[] | null;
  /** `looked`, not empty. */
  words: string;
}

export interface SegmentsAnswer {
  /** In no order; null where a segment cannot be read. */
  found: MessageText[] | null;
  /** Whether another search of them needs no data. */
  isKept: boolean;
}

/** So many characters of what was read are kept for the next word that is looked for: 10 to 20 MB, some 150,000 messages. */
const KEPT_CHARACTERS = 10_000_000;

/** Looks through segments as they are saved; long ones take a phone's processor a tenth of a second each. */
export class SegmentSearch {
  private readonly kept = new Map<string, MessageText[]>();
  private characters = 0;

  find({ name, saved, words }: SegmentsQuery): SegmentsAnswer {
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

function textsOf(saved: readonly SavedSegment[]): MessageText[] | null {
  const segments = saved.map(readSaved);
  return segments.every((texts) => texts !== null) ? segments.flat() : null;
}

function readSaved({ url, isOwn, data }: SavedSegment): MessageText[] | null {
  // As the Repo loads it, it would take three times as long: that makes a list of all that is new in it first.
  const doc = A.load<SegmentDocument>(data, { allowMissingChanges: true });
  // Before anything of it has come, a document is empty.
  const segment = 'kind' in doc ? readSegment(doc) : null;
  A.free(doc);
  return (
    segment &&
    segment.messages.map(({ key, text, at }) => ({ id: messageId(url, key), text, at, isOwn }))
  );
}
