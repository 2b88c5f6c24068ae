-- What `bench.py` has wrk send: METHOD, PATH, BODY and TOKEN come from the environment. `%COUNT%` in path or body gives
-- way to a number of sixteen digits, another for each request, which is also base64 of twelve bytes.

local method, path, body = os.getenv("METHOD"), os.getenv("TARGET"), os.getenv("BODY")
local first, span = tonumber(os.getenv("FIRST")), tonumber(os.getenv("SPAN"))
local headers = { ["Content-Type"] = body and "application/json" or nil }
if os.getenv("TOKEN") then
    headers["Authorization"] = "Bearer " .. os.getenv("TOKEN")
end
local count = 0

local function numbered(text, digits)
    return text and text:gsub("%%COUNT%%", string.format(digits, first + count % span)) or nil
end

function request()
    -- Neighbours are never asked for one after the other.
    count = count + 7919
    return wrk.format(method, numbered(path, "%d"), headers, numbered(body, "%016d"))
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '\n{"requests":%d,"seconds":%f,"refused":%d,"broken":%d,"p50":%f,"p99":%f}\n',
        summary.requests, summary.duration / 1e6, errors.status,
        errors.connect + errors.read + errors.write + errors.timeout,
        latency:percentile(50) / 1e3, latency:percentile(99) / 1e3
    ))
end
