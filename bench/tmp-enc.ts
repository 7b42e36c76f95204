const { encountersBench } = await import('/work/wt/privacy/bench/encounters.ts');
const rows = await encountersBench(Number(process.argv[2] ?? 500), 200);
for (const r of rows) console.log(r.row, '|', r.ours, '|', r.target, r.ok === false ? 'MISSED' : '');
