/** One event of a stream: its data, and its id when it has one. Without data it only says where the stream is. */
export interface StreamEvent {
  id: string | null;
  data: string | null;
}

/** Splits the text of server-sent events, piece by piece as it arrives, into events. */
export class EventStreamParser {
  #rest = '';

  /** @returns the events that this piece completes; comments and fields not used here are left out */
  push(piece: string): StreamEvent[] {
    // A carriage return at the end may be half of a line break: it waits for its other half.
    const text = this.#rest + piece;
    const held = text.endsWith('\r') ? '\r' : '';
    const blocks = text
      .slice(0, text.length - held.length)
      .replace(/\r\n?/g, '\n')
      .split('\n\n');
    this.#rest = (blocks.pop() ?? '') + held;
    return blocks.flatMap((block): StreamEvent[] => {
      let id: string | null = null;
      const data: string[] = [];
      for (const line of block.split('\n')) {
        const colon = line.indexOf(':');
        const field = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
        if (field === 'data') data.push(value);
        if (field === 'id') id = value;
      }
      if (data.length > 0) return [{ id, data: data.join('\n') }];
      return id === null ? [] : [{ id, data: null }];
    });
  }
}
