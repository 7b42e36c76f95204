import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** A feature of the product, as a list item. */
export function Feature({
  Icon,
  title,
  children,
}: {
  Icon: LucideIcon;
  title: string;
  children: ReactNode;
}) {
  return (
    <li className="flex flex-wrap gap-4 rounded-card border border-line bg-surface p-5 shadow-lift">
      <span className="flex size-11 shrink-0 items-center justify-center rounded-control bg-accent-soft text-accent">
        <Icon aria-hidden className="size-6" />
      </span>
      <div className="min-w-0 flex-1 basis-28">
        <h3 className="text-lg font-bold">{title}</h3>
        <p className="mt-1 text-soft">{children}</p>
      </div>
    </li>
  );
}
