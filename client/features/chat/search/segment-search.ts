import * as A from '@automerge/automerge/slim';
import { messageId, readSegment, type SegmentDocument } from '#shared/chat/document.ts';
import { containsQuery } from './text-match.ts';
import type { MessageText } from '../types.ts';

/** The saved bytes of one author's segment. */
export interface SavedSegment {
  url: string;
  isOwn: boolean;
  data: Uint8Array;
}

/** A search in segments that belong together. */
export interface SegmentsQuery {
  /** Identifies these segments in further searches. */
  name: string;
  /** Null where they were sent before and are still cached. */
  saved: readonly SavedSegment[] | null;
  /** Normalized, not empty. */
  words: string;
}

export interface SegmentsAnswer {
  /** In no order; null where a segment cannot be read. */
  found: MessageText[] | null;
  /** Whether the texts are cached, so that another search needs no data. */
  isCached: boolean;
}

/** The maximum number of cached characters of texts that were searched: 10 to 20 MB, about 150,000 messages. */
const CACHED_CHARACTERS_MAX = 10_000_000;

/** Searches saved segments. A long one takes a phone 0.1 s. */
export class SegmentSearch {
  private readonly cached = new Map<string, MessageText[]>();
  private characters = 0;

  find({ name, saved, words }: SegmentsQuery): SegmentsAnswer {
    const texts = this.cached.get(name) ?? (saved && textsOf(saved));
    if (!texts) return { found: null, isCached: false };
    this.cache(name, texts);
    return { found: texts.filter(containsQuery(words)), isCached: this.cached.has(name) };
  }

  private cache(name: string, texts: MessageText[]): void {
    if (this.cached.has(name)) return;
    const length = texts.reduce((sum, { text }) => sum + text.length, 0);
    if (this.characters + length > CACHED_CHARACTERS_MAX) return;
    this.characters += length;
    this.cached.set(name, texts);
  }
}

function textsOf(saved: readonly SavedSegment[]): MessageText[] | null {
  const segments = saved.map(readSaved);
  return segments.every((texts) => texts !== null) ? segments.flat() : null;
}

function readSaved({ url, isOwn, data }: SavedSegment): MessageText[] | null {
  // Three times as fast as the Repo's way of loading, which lists all changes first.
  const doc = A.load<SegmentDocument>(data, { allowMissingChanges: true });
  // A document is empty before its first change arrives.
  const segment = 'kind' in doc ? readSegment(doc) : null;
  A.free(doc);
  return (
    segment &&
    segment.messages.map(({ key, text, at }) => ({ id: messageId(url, key), text, at, isOwn }))
  );
}
