import type { AttackerTask } from './load-attackers.ts';
import { ATTACKS } from './load-attacks.ts';

/** The attacker of `load-attackers.ts`: prepares, then attacks from `start` to `stop`, and says when it has done each. */
process.once('message', (task) => void run(task as AttackerTask));

async function run({ attack, url, own }: AttackerTask): Promise<void> {
  const go = await ATTACKS[attack]!(url, own);
  let isOver = true;
  process.on('message', (order) => {
    isOver = order === 'stop';
    if (isOver) return;
    void go(() => isOver).then(() => process.send?.('stopped'));
  });
  process.send?.('prepared');
}
