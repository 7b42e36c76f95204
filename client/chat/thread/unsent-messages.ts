import * as A from '@automerge/automerge/slim';

/** Which of a segment's own messages the server's disk is known to have: once it has one, it has it for good. */
export class Unsent {
  private readonly sent = new Set<string>();
  private looked: { doc: A.Doc<unknown>; confirmed: A.Heads } | null = null;

  /**
   * Takes note of what the server confirmed.
   * @param keys of all messages in the segment
   * @param confirmed the heads that the server last told; null while it has told none
   */
  look(doc: A.Doc<unknown>, confirmed: A.Heads | null, keys: Iterable<string>): void {
    if (!confirmed || !A.hasHeads(doc, confirmed)) return;
    if (this.looked?.doc === doc && this.looked.confirmed === confirmed) return;
    this.looked = { doc, confirmed };
    const news = new Set<string>();
    for (const { path } of A.diff(doc, confirmed, A.getHeads(doc)))
      if (path[0] === 'messages' && typeof path[1] === 'string') news.add(path[1]);
    for (const key of keys) if (!news.has(key)) this.sent.add(key);
  }

  /** Whether the server has told enough to know. */
  get isKnown(): boolean {
    return this.looked !== null;
  }

  has(key: string): boolean {
    return !this.sent.has(key);
  }
}
