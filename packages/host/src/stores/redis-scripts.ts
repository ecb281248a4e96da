/**
 * The scripts of the Redis store. Redis runs each script as one step. Each script declares all of
 * its keys, which are in one slot of a cluster. A user's key holds `user:` and the managed user, or
 * `making:` and the time of the claim.
 */

/** KEYS: user. ARGV: managed user. */
export const keepUser = `
local kept = redis.call('GET', KEYS[1])
if kept and string.sub(kept, 1, 5) == 'user:' then return kept end
redis.call('SET', KEYS[1], 'user:' .. ARGV[1])
return 'user:' .. ARGV[1]`;

/** KEYS: user. ARGV: since, lease. */
export const claimCreation = `
local kept = redis.call('GET', KEYS[1])
if kept then
  if string.sub(kept, 1, 5) == 'user:' then return 0 end
  if math.abs(tonumber(string.sub(kept, 8)) - tonumber(ARGV[1])) < tonumber(ARGV[2]) then return 0 end
end
redis.call('SET', KEYS[1], 'making:' .. ARGV[1], 'PX', ARGV[2])
return 1`;

/** KEYS: user. ARGV: the managed user, the one that replaces it. Returns what is stored then. */
export const replaceUser = `
local kept = redis.call('GET', KEYS[1])
if kept and string.sub(kept, 1, 5) == 'user:' and kept ~= 'user:' .. ARGV[1] then return kept end
redis.call('SET', KEYS[1], 'user:' .. ARGV[2])
return 'user:' .. ARGV[2]`;

/** KEYS: one. ARGV: the value that it must have to be deleted. */
export const deleteIfSame = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0`;

/**
 * KEYS: attempt, the user's attempts by their start. ARGV: lifetime, attempt key, request, start,
 * state, export ('' if not known).
 */
const write = `
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'request', ARGV[3], 'startedAt', ARGV[4], 'state', ARGV[5])
if ARGV[6] ~= '' then redis.call('HSET', KEYS[1], 'exportId', ARGV[6]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', tonumber(ARGV[4]) - tonumber(ARGV[1]))
redis.call('PEXPIRE', KEYS[2], ARGV[1])`;

/**
 * As {@link write}. Last ARGV: attempts before this time are expired. Returns the fields of the
 * known attempt, or nil.
 */
export const claimAttempt = `
local known = redis.call('HMGET', KEYS[1], 'request', 'startedAt', 'state', 'exportId')
if known[2] and tonumber(known[2]) >= tonumber(ARGV[#ARGV]) then return known end
${write}
return false`;

/**
 * As {@link write}. Last two ARGV: the state and start that the attempt must have. Returns 1 if it
 * had them.
 */
export const moveAttempt = `
local known = redis.call('HMGET', KEYS[1], 'state', 'startedAt')
if known[1] ~= ARGV[#ARGV - 1] or known[2] ~= ARGV[#ARGV] then return 0 end
${write}
return 1`;

/** KEYS: attempt. ARGV: the state and start that it must have to be deleted. */
export const dropAttempt = `
local known = redis.call('HMGET', KEYS[1], 'state', 'startedAt')
if known[1] == ARGV[1] and known[2] == ARGV[2] then redis.call('DEL', KEYS[1]) end
return 0`;

/**
 * The user's tasks: their starts by id, and what is known of each by id. Both end a year after the
 * last start. KEYS: the starts, the tasks. ARGV: id, start, task, lifetime; what began before this
 * is forgotten.
 */
export const keepTask = `
for _, old in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[5])) do
  redis.call('ZREM', KEYS[1], old)
  redis.call('HDEL', KEYS[2], old)
end
if redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[3]) == 1 then redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return 1`;

/**
 * KEYS: as {@link keepTask}. ARGV: the start and id before which to begin, how many, the earliest
 * start. Returns starts and tasks in turn.
 */
export const startedTasks = `
local found = {}
local from = 0
while #found < 2 * tonumber(ARGV[3]) do
  local page = redis.call('ZREVRANGEBYSCORE', KEYS[1], ARGV[1], ARGV[4], 'WITHSCORES', 'LIMIT', from, 100)
  if #page == 0 then break end
  from = from + 100
  for at = 1, #page, 2 do
    local isAfter = tonumber(page[at + 1]) < tonumber(ARGV[1]) or page[at] < ARGV[2]
    if isAfter and #found < 2 * tonumber(ARGV[3]) then
      found[#found + 1] = page[at + 1]
      found[#found + 1] = redis.call('HGET', KEYS[2], page[at])
    end
  end
end
return found`;

/** KEYS: as {@link keepTask}. ARGV: id. Returns 1 if it was there. */
export const dropTask = `
redis.call('ZREM', KEYS[1], ARGV[1])
return redis.call('HDEL', KEYS[2], ARGV[1])`;
