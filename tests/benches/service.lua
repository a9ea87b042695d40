-- What wrk sends, and what it says at the end: one line of JSON. The tool's name comes from the command line.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

function init(args)
  local loop = args[1] == "loop" and "true" or "false"
  local payload = '{"toolName":"' .. args[1] .. '","args":{"command":"ls -l","loop":' .. loop .. '}}'
  wrk.body = '{"point":"preToolUse","payload":' .. payload .. '}'
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('\n{"requests":%d,"failed":%d,"seconds":%.3f,"p50Ms":%.3f,"p99Ms":%.3f,"maxMs":%.3f}\n',
    summary.requests, failed, summary.duration / 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
end
