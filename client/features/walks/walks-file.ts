import { z } from 'zod';
import { soundType } from '#shared/dogs/contract.ts';
import { DOGS_MAX } from '#shared/dogs/rules.ts';
import { latitude, longitude } from '#shared/place.ts';
import { ROUTE_POINTS_MAX } from './route.ts';
import { durationOf, WALK_NOTE_MAX, WALK_PHOTO_CHARACTERS_MAX, type Walk } from './walk.ts';

const WALKS_MAX = 20_000;
const PEOPLE_MAX = 500;
const NAME_MAX = 100;
/** Of a file: some hundred photos. */
export const WALKS_FILE_MAX_BYTES = 200_000_000;

const time = z.iso.datetime().transform((text) => Date.parse(text));
const name = z.string().max(NAME_MAX);
const dog = z.object({ name, sound_type: soundType });

/** A walk in a file: what this device stores of it. Files of earlier versions lack ids, routes and more. */
const fileWalk = z.object({
  id: z.string().max(64).optional(),
  started_at: time,
  ended_at: time.nullable(),
  distance_meters: z.number().min(0).max(1_000_000),
  people_met: z.number().int().min(0).max(10_000),
  met: z
    .array(
      z.object({
        user_id: z.string().max(64).optional(),
        name,
        dogs: z
          .array(
            z.union([
              name.transform((each) => ({ name: each, sound_type: 'leash_off' as const })),
              dog,
            ]),
          )
          .max(DOGS_MAX),
        at: time,
        walked_together: z.boolean(),
      }),
    )
    .max(PEOPLE_MAX),
  route: z
    .array(z.tuple([latitude, longitude, z.number().min(0)]))
    .max(ROUTE_POINTS_MAX + 1)
    .optional(),
  dogs: z.array(name).max(DOGS_MAX).optional(),
  note: z.string().max(WALK_NOTE_MAX).optional(),
  photo: z
    .string()
    .regex(/^data:image\/(jpeg|webp|png);base64,/)
    .max(WALK_PHOTO_CHARACTERS_MAX)
    .optional(),
});

const exportedWalks = (walks: readonly Walk[]) =>
  walks.map((walk) => ({
    id: walk.id,
    started_at: new Date(walk.startedAt).toISOString(),
    ended_at: walk.endedAt === null ? null : new Date(walk.endedAt).toISOString(),
    duration_seconds: Math.round(durationOf(walk, walk.updatedAt) / 1000),
    distance_meters: Math.round(walk.distanceMeters),
    people_met: walk.metCount,
    met: walk.met.map(({ user_id, display_name, dogs, at, isCompanion }) => ({
      user_id,
      name: display_name,
      dogs: dogs.map((each) => ({ name: each.name, sound_type: each.sound_type })),
      at: new Date(at).toISOString(),
      walked_together: isCompanion,
    })),
    route: walk.route,
    dogs: walk.dogs,
    note: walk.note,
    photo: walk.photo,
  }));

/** Returns the walks as a JSON file, for the owner to save. */
export const walksFile = (walks: readonly Walk[]): File =>
  new File([JSON.stringify(exportedWalks(walks), null, 2)], 'walks.json', {
    type: 'application/json',
  });

/** Reads walks that `walksFile` wrote, here or elsewhere. Active ones end with their last point. @throws for other files */
export function readWalksFile(text: string): Walk[] {
  const found = z.array(fileWalk).max(WALKS_MAX).parse(JSON.parse(text));
  return found.map(({ started_at, ended_at, met, ...walk }) => {
    const lastSeconds = walk.route?.at(-1)?.[2] ?? 0;
    const endedAt = Math.max(started_at, ended_at ?? started_at + lastSeconds * 1000);
    const { route, dogs, note, photo } = walk;
    return {
      // A walk begins once.
      id: walk.id ?? `walk-${started_at}`,
      startedAt: started_at,
      endedAt,
      updatedAt: endedAt,
      movedAt: endedAt,
      distanceMeters: walk.distance_meters,
      metCount: Math.max(walk.people_met, met.length),
      met: met.map((person) => ({
        user_id: person.user_id ?? '',
        display_name: person.name,
        dogs: person.dogs.map((each) => ({ ...each, image_key: null })),
        at: person.at,
        isCompanion: person.walked_together,
      })),
      ...(route && { route }),
      ...(dogs && { dogs }),
      ...(note && { note }),
      ...(photo && { photo }),
    };
  });
}
