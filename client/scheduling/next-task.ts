/**
 * Settles in a task of its own: a press that came in the meantime is answered before. Unlike a timer's, it is not put
 * off in a tab in the background.
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
