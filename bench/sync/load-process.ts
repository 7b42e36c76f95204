import { AutomergeDevice } from './automerge-device.ts';
import { appendOnceASecond, type LoadTask, type Pair } from './load.ts';
import { yjsPair } from './yjs-pair.ts';

/** The devices of `npm run bench -- sync`, in a process of their own: asked by its parent, over IPC. */
async function automergePair(task: LoadTask, which: number): Promise<Pair> {
  const { id, cookie } = task.documents[which]!;
  const [writer, watcher] = await Promise.all([
    new AutomergeDevice(task.url, cookie).join(),
    new AutomergeDevice(task.url, cookie).join(),
  ]);
  if (task.creates) writer.create(id);
  else await writer.open(id);
  await watcher.open(id);
  writer.watch(id, () => {});
  // In the order in which they were written: a device that has one has those before it.
  const expected: { head: string; seen: () => void }[] = [];
  watcher.watch(id, (heads) => {
    const last = expected.findLastIndex(({ head }) => heads.includes(head));
    for (const { seen } of expected.splice(0, last + 1)) seen();
  });
  return {
    append(text, seen) {
      for (const head of writer.append(id, text)) expected.push({ head, seen });
    },
  };
}

const AT_ONCE = 20;

process.on('message', (message: { task?: LoadTask }) => {
  if (message.task) void run(message.task);
});
process.once('disconnect', () => process.exit(0));
process.send!({ up: true });

async function run(task: LoadTask): Promise<void> {
  const pairs: Pair[] = [];
  while (pairs.length < task.documents.length) {
    const some = task.documents.slice(pairs.length, pairs.length + AT_ONCE);
    const made = some.map((document, i) =>
      task.protocol === 'yjs'
        ? yjsPair(task.url, document.id)
        : automergePair(task, pairs.length + i),
    );
    pairs.push(...(await Promise.all(made)));
  }
  const result = await appendOnceASecond(pairs, task, async (on) => {
    process.send!({ measuring: on });
    await new Promise<void>((resolve) => {
      process.on('message', function go(message: { go?: boolean }) {
        if (!message.go) return;
        process.off('message', go);
        resolve();
      });
    });
  });
  process.send!({ result });
}
