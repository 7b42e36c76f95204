import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type Crowd, idOf } from './crowd.ts';
import { laterThanTheBench } from './fill.ts';
import { scratchDirectory, spawnRival } from './cleanup.ts';
import { cardOf, type Running, SEED_BATCH, startHandler, untilItAnswers } from './rival-process.ts';

/** Starts Redis with all positions, times and cards. */
export async function startRedis(program: string, crowd: Crowd): Promise<Running> {
  const directory = scratchDirectory('redis');
  const socket = join(directory, 'socket');
  const kept = ['--dir', directory, '--save', '', '--appendonly', 'no'];
  const server = spawnRival(program, ['--port', '0', '--unixsocket', socket, ...kept]);
  const redis = new Redis(socket, { lazyConnect: true, retryStrategy: () => 100 });
  redis.on('error', () => {});
  await untilItAnswers(() => redis.ping());
  const at = laterThanTheBench().getTime();
  for (let from = 0; from < crowd.size; from += SEED_BATCH) {
    const places: (string | number)[] = [];
    const times: (string | number)[] = [];
    const cards: string[] = [];
    for (let index = from; index < Math.min(crowd.size, from + SEED_BATCH); index += 1) {
      const { latitude, longitude } = crowd.place(index);
      places.push(longitude, latitude, idOf(index));
      times.push(idOf(index), at);
      cards.push(idOf(index), cardOf(index));
    }
    await Promise.all([
      redis.geoadd('positions', ...places),
      redis.hset('at', ...times),
      redis.hset('cards', ...cards),
    ]);
  }
  redis.disconnect();
  return startHandler('location-redis.ts', socket, server);
}
