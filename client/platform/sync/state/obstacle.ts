import { probe, reachability } from '../../http/reachability.ts';
import { PRODUCT } from '../../product.ts';

/** Why documents can't be opened: this browser has no WebAssembly, a part of the app doesn't load or run, or no network. */
export type Obstacle = 'no-wasm' | 'blocked' | 'no-network';

/** This browser has no WebAssembly, as in Lockdown Mode of iOS. */
export class NoWebAssembly extends Error {}

/** Classifies a failure to open documents. The network is at fault only if our server doesn't answer. */
export async function obstacleOf(error: unknown): Promise<Obstacle> {
  const isRefused = error instanceof Error && error.name === 'CompileError';
  if (error instanceof NoWebAssembly || isRefused) return 'no-wasm';
  await probe();
  return reachability.get() ? 'blocked' : 'no-network';
}

/** What people are told. */
const OBSTACLE_TEXTS = {
  'no-wasm': `This browser blocks a part ${PRODUCT} needs for chats, friends and working offline. On an iPhone or iPad, turn off Lockdown Mode for this site. Walks and warnings work without it.`,
  blocked: `A part of ${PRODUCT} didn’t load, so chats, friends and working offline don’t work. Reload this page, and check whether an extension blocks it. Walks and warnings work without it.`,
} satisfies Partial<Record<Obstacle, string>>;

/** Returns what people are told; null if only the network is missing, or nothing. */
export const obstacleText = (obstacle: Obstacle | null): string | null =>
  obstacle === 'no-wasm' || obstacle === 'blocked' ? OBSTACLE_TEXTS[obstacle] : null;
