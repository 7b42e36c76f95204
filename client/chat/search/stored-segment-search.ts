import { parseAutomergeUrl, type AutomergeUrl, type Repo } from '@automerge/automerge-repo/slim';
import type { SegmentPair } from '#shared/chat/threads.ts';
import type { SavedSegment } from './segment-search.ts';
import type { SearchWorkerClient } from './search-worker-client.ts';
import type { MessageText } from '../types.ts';

/** Both's segments of one number of a thread with somebody. */
export interface OlderSegment {
  friend_user_id: string;
  pair: SegmentPair;
}

/**
 * What this device keeps of older segments of threads, looked through one pair at a time. Beside the Repo: what it has
 * opened once it holds, and what it is made to drop while the server may still speak of it, it overwrites with nothing.
 */
export class OlderMessages {
  private readonly repo: Repo;
  private readonly search: () => SearchWorkerClient;
  private searching: SearchWorkerClient | null = null;
  /** What the search has of its own by now, by the own segment of each pair. */
  private readonly known = new Set<string>();

  /** @param search begins one; what it keeps goes with it */
  constructor(repo: Repo, search: () => SearchWorkerClient) {
    this.repo = repo;
    this.search = search;
  }

  /**
   * Messages of a pair that have these words in them, in no order; null where they are not on this device.
   * @param words `looked`, not empty
   */
  async find(
    { pair: { mine, theirs } }: OlderSegment,
    words: string,
  ): Promise<MessageText[] | null> {
    const isKnown = this.known.has(mine);
    const saved = isKnown ? null : await this.load(mine, theirs);
    if (!saved && !isKnown) return null;
    this.searching ??= this.search();
    const { found, isKept } = await this.searching.find({ name: mine, saved, words });
    if (isKept) this.known.add(mine);
    return found;
  }

  /** Forgets what was read, when nobody looks for anything any more. */
  forget(): void {
    this.searching?.stop();
    this.searching = null;
    this.known.clear();
  }

  /** Both segments as they are saved; null where one is not. */
  private async load(mine: string, theirs: string): Promise<SavedSegment[] | null> {
    const segments: SavedSegment[] = [];
    for (const url of [mine, theirs]) {
      const { documentId } = parseAutomergeUrl(url as AutomergeUrl);
      const data = await this.repo.storageSubsystem?.loadDocData(documentId);
      if (!data) return null;
      segments.push({ url, isOwn: url === mine, data });
    }
    return segments;
  }
}
