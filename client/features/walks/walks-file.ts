import { durationOf, type Walk } from './walk.ts';

const exportedWalks = (walks: readonly Walk[]) =>
  walks.map((walk) => ({
    started_at: new Date(walk.startedAt).toISOString(),
    ended_at: walk.endedAt === null ? null : new Date(walk.endedAt).toISOString(),
    duration_seconds: Math.round(durationOf(walk, walk.updatedAt) / 1000),
    distance_meters: Math.round(walk.distanceMeters),
    people_met: walk.metCount,
    met: walk.met.map(({ display_name, dogs, at, isCompanion }) => ({
      name: display_name,
      dogs: dogs.map(({ name }) => name),
      at: new Date(at).toISOString(),
      walked_together: isCompanion,
    })),
  }));

/** Returns the walks as a JSON file, for the owner to save. */
export const walksFile = (walks: readonly Walk[]): File =>
  new File([JSON.stringify(exportedWalks(walks), null, 2)], 'walks.json', {
    type: 'application/json',
  });
