import { parseAutomergeUrl, type AutomergeUrl, type Repo } from '@automerge/automerge-repo/slim';
import type { SegmentPair } from '#shared/chat/threads.ts';
import type { SavedSegment } from './segment-search.ts';
import type { SearchWorkerClient } from './search-worker-client.ts';
import type { MessageText } from '../types.ts';

/** Both friends' segments of one number of a thread. */
export interface OlderSegment {
  friend_user_id: string;
  pair: SegmentPair;
}

/**
 * Searches older segments on this device, one pair at a time. Reads them without the Repo, which never unloads a document that
 * it has opened, and would overwrite one that is dropped while the server still sends changes.
 */
export class OlderMessages {
  private readonly repo: Repo;
  private readonly search: () => SearchWorkerClient;
  private searching: SearchWorkerClient | null = null;
  /** Pairs that the worker has cached, by the own segment of each. */
  private readonly known = new Set<string>();

  /** @param search starts the worker, which has a cache of its own */
  constructor(repo: Repo, search: () => SearchWorkerClient) {
    this.repo = repo;
    this.search = search;
  }

  /**
   * Returns the messages of a pair that contain the words, in no order; null where the pair is not on this device.
   * @param words normalized, not empty
   */
  async find(
    { pair: { mine, theirs } }: OlderSegment,
    words: string,
  ): Promise<MessageText[] | null> {
    const isKnown = this.known.has(mine);
    const saved = isKnown ? null : await this.load(mine, theirs);
    if (!saved && !isKnown) return null;
    this.searching ??= this.search();
    const { found, isCached } = await this.searching.find({ name: mine, saved, words });
    if (isCached) this.known.add(mine);
    return found;
  }

  /** Stops the worker and its cache. */
  forget(): void {
    this.searching?.stop();
    this.searching = null;
    this.known.clear();
  }

  /** Reads both segments; null where one is not saved. */
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
