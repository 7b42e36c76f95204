import { createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import type { Db } from 'mongodb';
import { createIndexes } from '../../api/app/indexes.ts';
import { locations } from '../../api/features/locations/collections.ts';
import { importPlaces } from '../../api/features/openstreetmap/import-places.ts';
import { withDatabase } from './open-database.ts';

const HELP = `npm run import-places -- FILE.osm.pbf [--region NAME] [--allow-removals]
npm run import-places -- --export-corrections FILE.jsonl

Reads places to walk and what helps on a walk (water, bins, toilets, car parks, vets, pet shops) from an OpenStreetMap extract, such as one of
download.geofabrik.de. Run it again with a newer extract of the same region: what changed is changed, and what is gone is removed, but
nothing that members wrote.

--region             the name of the region; otherwise the file's name up to the first dot
--allow-removals     also if more than half of the region is gone
--export-corrections writes what members corrected in imported places, one JSON object a line. OpenStreetMap's license (ODbL 1.0) asks
                     whoever shows changed data to share the changes when asked for them.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    region: { type: 'string' },
    'allow-removals': { type: 'boolean', default: false },
    'export-corrections': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const [file] = positionals;
const corrections = values['export-corrections'];
const REGION_MAX = 100;

async function writeCorrections(db: Db, target: string): Promise<void> {
  const rows = locations(db).find({ 'correction.facts': { $exists: true } });
  async function* lines() {
    for await (const { imported, correction } of rows)
      yield `${JSON.stringify({ osm_id: imported?.id, at: correction?.at, ...correction?.facts })}\n`;
  }
  await pipeline(lines, createWriteStream(target));
}

if (values.help) console.log(HELP);
else if (corrections) await withDatabase((db) => writeCorrections(db, corrections));
else if (!file) {
  console.error(HELP);
  process.exitCode = 1;
} else
  await withDatabase(async (db) => {
    const region = (values.region ?? basename(file).split('.')[0] ?? '').slice(0, REGION_MAX);
    await createIndexes(db);
    const report = await importPlaces(db, {
      file,
      region,
      allowRemovals: values['allow-removals'],
      progress: (text) => console.error(text),
    });
    console.log(
      `“${region}”: ${report.places} places and ${report.amenities} amenities, ${report.written} of them new or changed; ${report.removed} removed, ${report.duplicates} lead to places that members added.`,
    );
  });
