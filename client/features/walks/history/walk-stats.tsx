/** Numbers of a walk, or totals, next to each other. */
export function WalkStats({ stats }: { stats: readonly { name: string; value: string }[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-2">
      {stats.map(({ name, value }) => (
        <div key={name} className="flex flex-col-reverse justify-end rounded-control bg-sunken p-3">
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="text-xl font-bold whitespace-nowrap tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
