/** Numbers next to each other, such as those of a walk or an ad. */
export function StatTiles({
  label,
  stats,
}: {
  label?: string;
  stats: readonly { name: string; value: string }[];
}) {
  return (
    <dl
      aria-label={label}
      className={`grid gap-2 ${stats.length % 2 === 0 ? 'grid-cols-2 sm:grid-cols-4' : 'grid-cols-3'}`}
    >
      {stats.map(({ name, value }) => (
        <div
          key={name}
          className="flex flex-col-reverse justify-end min-w-0 rounded-control bg-sunken p-2.5 sm:p-3"
        >
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="text-lg leading-snug font-bold tabular-nums sm:text-xl">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
