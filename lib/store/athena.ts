import {
  AthenaClient,
  AthenaServiceException,
  GetQueryExecutionCommand,
  StartQueryExecutionCommand,
  StopQueryExecutionCommand,
} from '@aws-sdk/client-athena';
import { AWS_CALLS } from './client.ts';
import { EngineBusy, type QueryEngine } from './query-engine.ts';

const BUSY = new Set(['TooManyRequestsException', 'ThrottlingException', 'ThrottledException']);

/** Opens a workgroup, which says where results lie and how much a query may read. */
export function openAthena(database: string, WorkGroup: string): QueryEngine {
  const client = new AthenaClient({ requestHandler: AWS_CALLS });
  return {
    start: (QueryString, ClientRequestToken) =>
      orBusy(async () => {
        const QueryExecutionContext = { Database: database };
        const asked = { QueryString, ClientRequestToken, WorkGroup, QueryExecutionContext };
        const { QueryExecutionId } = await client.send(new StartQueryExecutionCommand(asked));
        if (QueryExecutionId === undefined) throw new Error('a query without an id');
        return QueryExecutionId;
      }),
    find: (QueryExecutionId) =>
      orBusy(async () => {
        const { QueryExecution } = await client.send(new GetQueryExecutionCommand({ QueryExecutionId }));
        const { Status, Statistics, ResultConfiguration } = QueryExecution ?? {};
        const { State: state = 'QUEUED', StateChangeReason: reason, AthenaError } = Status ?? {};
        return {
          ...{ state, reason, isRetryable: AthenaError?.Retryable === true },
          file: (ResultConfiguration?.OutputLocation ?? '').replace(/^s3:\/\/[^/]*\//, ''),
          bytes: Statistics?.DataScannedInBytes ?? 0,
          ms: Statistics?.TotalExecutionTimeInMillis ?? 0,
        };
      }),
    stop: (QueryExecutionId) =>
      orBusy(() => client.send(new StopQueryExecutionCommand({ QueryExecutionId }))).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof AthenaServiceException && error.name === 'InvalidRequestException') return; // it has ended
          throw error;
        },
      ),
  };
}

async function orBusy<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AthenaServiceException && BUSY.has(error.name)) throw new EngineBusy(error.message);
    throw error;
  }
}
