/**
 * Settles in a new task, so that pending input is handled first. Unlike a timer, it isn't throttled in background tabs.
 */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
