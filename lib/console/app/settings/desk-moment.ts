import { useApp, useSiteClock } from '../context.tsx';

/** Writes moments of the API by the site's clocks. */
export function useMoment(): (instant: string) => string {
  const { format } = useApp();
  const clock = useSiteClock();
  return (instant) => format.moment(clock(instant));
}
