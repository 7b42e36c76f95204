import { walkOurs, QUICK } from './walkers.ts';
import { randomFrom, apart } from './simulation.ts';
const random = randomFrom(20_261_121);
const MEET_AT = 120_000;
const line = (at: any, speed: number, heading: number) => (time: number) => { const s=(time-MEET_AT)/1000; return { east: at.east + speed*s*Math.sin(heading), north: at.north + speed*s*Math.cos(heading)}; };
const mode = process.argv[2];
let bad = 0;
const N = Number(process.argv[3] ?? 300);
const noise = Number(process.argv[4] ?? 2.1);
for (let i = 0; i < N; i += 1) {
  const a = line({east:0,north:0},1.4,0), b = line({east: random.between(0,5), north:0}, 1.4, Math.PI);
  const walkers: any[] = [{id:'a', path:a, from: random.between(0,30000)},{id:'b',path:b,from:random.between(0,30000)}];
  if (mode === 'home') for (const [w, home] of [{ east: 400, north: 300 },{ east: -400, north: 300 }].entries()) walkers.push({ id: w===0?'a':'b', device: 'laptop', path: () => home, from: random.between(0,30000)});
  const log: string[] = [];
  (globalThis as any).TRACE = (t: string) => log.push(t);
  const o = await walkOurs(walkers, MEET_AT+15000, { noise, ...QUICK, isDeaf: mode==='deaf', random });
  const w = [o.warnings.get('a')?.get('b')?.[0] ?? Infinity, o.warnings.get('b')?.get('a')?.[0] ?? Infinity];
  if (Math.max(...w) >= MEET_AT) { bad += 1; if (bad <= 2) { console.log('bad', i, w, walkers.map(x=>x.from|0)); console.log(log.join('\n')); } }
}
console.log(mode, bad, 'of', N);
