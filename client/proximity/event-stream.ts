/** One event of a stream: its data, and its id when it has one. */
export interface StreamEvent {
  id: string | null;
  data: string;
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
    return blocks.flatMap((block) => {
      const event: StreamEvent = { id: null, data: '' };
      const data: string[] = [];
      for (const line of block.split('\n')) {
        const colon = line.indexOf(':');
        const field = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
        if (field === 'data') data.push(value);
        if (field === 'id') event.id = value;
      }
      return data.length > 0 ? [{ ...event, data: data.join('\n') }] : [];
    });
  }
}
