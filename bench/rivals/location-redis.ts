import { Redis } from 'ioredis';
import { RADIUS_METERS, STALE_SECONDS } from '#shared/proximity/rules.ts';
import { serveReports } from './location-handler.ts';

/** One script: keep the position, find who is near, drop the stale, add their names and dogs. */
const SCRIPT = `
redis.call('GEOADD', 'positions', ARGV[2], ARGV[3], ARGV[1])
redis.call('HSET', 'at', ARGV[1], ARGV[4])
local near = redis.call('GEOSEARCH', 'positions', 'FROMLONLAT', ARGV[2], ARGV[3], 'BYRADIUS', ARGV[5], 'm', 'ASC', 'WITHDIST')
local found = {}
for _, entry in ipairs(near) do
  if #found >= 60 then break end
  local id = entry[1]
  if id ~= ARGV[1] and tonumber(redis.call('HGET', 'at', id)) >= tonumber(ARGV[6]) then
    found[#found + 1] = id
    found[#found + 1] = entry[2]
    found[#found + 1] = redis.call('HGET', 'cards', id)
  end
end
return found`;

const redis = new Redis(process.env['RIVAL_SOCKET'] ?? '');
redis.defineCommand('report', { numberOfKeys: 0, lua: SCRIPT });
const report = (redis as unknown as { report(...args: (string | number)[]): Promise<string[]> })
  .report;

serveReports(async ({ user_id, latitude, longitude }) => {
  const now = Date.now();
  const found = await report.call(
    redis,
    user_id,
    longitude,
    latitude,
    now,
    RADIUS_METERS,
    now - STALE_SECONDS * 1000,
  );
  const near = [];
  for (let index = 0; index < found.length; index += 3)
    near.push({
      user_id: found[index],
      meters: Number(found[index + 1]),
      card: JSON.parse(found[index + 2] ?? 'null') as unknown,
    });
  return near;
});
