import { WebSocket } from 'ws';

/**
 * Makes Node's sockets ignore errors without a listener, like a browser's do. Otherwise they would end the process.
 * Patches the prototype because the stock adapter imports its own `ws`. @returns a function that restores it
 */
export function ignoreSocketErrors(): () => void {
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
