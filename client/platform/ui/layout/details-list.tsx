import type { ReactNode } from 'react';
import { EmailText } from './email-text.tsx';

/** Names and values in two columns. */
export function DetailsList({
  rows,
  className = 'gap-x-4 gap-y-1 text-sm',
  valueClassName = 'break-words',
  children,
}: {
  rows: readonly (readonly [name: string, value: ReactNode])[];
  className?: string;
  valueClassName?: string;
  children?: ReactNode;
}) {
  return (
    <dl className={`grid grid-cols-[auto_minmax(0,1fr)] ${className}`}>
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className={`text-balance ${valueClassName}`}>
            {typeof value === 'string' ? <EmailText>{value}</EmailText> : value}
          </dd>
        </div>
      ))}
      {children}
    </dl>
  );
}
