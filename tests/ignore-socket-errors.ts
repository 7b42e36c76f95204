import { WebSocket } from 'ws';

/**
 * Has Node's sockets keep an error that nobody listens for to themselves, as a browser's do: theirs would end the process.
 * At the prototype, as the stock adapter brings its own `ws`. @returns the way back
 */
export function tameSockets(): () => void {
  const { emit } = WebSocket.prototype;
  WebSocket.prototype.emit = function (
    this: WebSocket,
    event: string | symbol,
    ...args: unknown[]
  ) {
    return event === 'error' && this.listenerCount('error') === 0
      ? false
      : (emit as (...all: unknown[]) => boolean).call(this, event, ...args);
  };
  return () => {
    WebSocket.prototype.emit = emit;
  };
}
